#pragma once
// Parameters in double, rounded once to the precision of the loops, member by member. Every struct of parameters is an aggregate
// template over its number type, P<R>; rounded_to<P<float>>(P<double>) gives each member of the result the rounded value of the same
// member. The members are counted and bound by the compiler, so that none can be forgotten or confused with another. Host code only.
//
// What members may be: numbers, enumerators, pointers that both structs have alike, addresses of tables (core/table_address.hpp), vectors
// Vec<R, n> and further such structs. Not arrays: an initialiser list cannot take them as one.

#include <cstddef>
#include <type_traits>
#include <utility>

#include "core/vec.hpp"

namespace watersmeet {

namespace detail {

struct Anything {
  template <class T>
  operator T() const;
};
template <class T, std::size_t... n>
constexpr bool takes(std::index_sequence<n...>) {
  return requires { T{(static_cast<void>(n), Anything{})...}; };
}
constexpr std::size_t most_members = 40;
// How many members an aggregate has: the largest number of initialisers that it takes.
template <class T, std::size_t n = most_members>
constexpr std::size_t members_of() {
  static_assert(!takes<T>(std::make_index_sequence<most_members + 1>{}),
                "more members than bind_members() has cases for");
  if constexpr (n == 0 || takes<T>(std::make_index_sequence<n>{})) {
    return n;
  } else {
    return members_of<T, n - 1>();
  }
}

// f(member of a, member of b) for all members of two structs of as many members.
template <class A, class B, class F>
void bind_members(A& a, const B& b, const F& f) {
  constexpr std::size_t n = members_of<A>();
  static_assert(n == members_of<B>(), "both are the same template");
  if constexpr (n == 1) {
    auto& [a0] = a;
    auto& [b0] = b;
    f(a0, b0);
  } else if constexpr (n == 2) {
    auto& [a0, a1] = a;
    auto& [b0, b1] = b;
    f(a0, b0), f(a1, b1);
  } else if constexpr (n == 3) {
    auto& [a0, a1, a2] = a;
    auto& [b0, b1, b2] = b;
    f(a0, b0), f(a1, b1), f(a2, b2);
  } else if constexpr (n == 4) {
    auto& [a0, a1, a2, a3] = a;
    auto& [b0, b1, b2, b3] = b;
    f(a0, b0), f(a1, b1), f(a2, b2), f(a3, b3);
  } else if constexpr (n == 5) {
    auto& [a0, a1, a2, a3, a4] = a;
    auto& [b0, b1, b2, b3, b4] = b;
    f(a0, b0), f(a1, b1), f(a2, b2), f(a3, b3), f(a4, b4);
  } else if constexpr (n == 6) {
    auto& [a0, a1, a2, a3, a4, a5] = a;
    auto& [b0, b1, b2, b3, b4, b5] = b;
    f(a0, b0), f(a1, b1), f(a2, b2), f(a3, b3), f(a4, b4), f(a5, b5);
  } else if constexpr (n == 7) {
    auto& [a0, a1, a2, a3, a4, a5, a6] = a;
    auto& [b0, b1, b2, b3, b4, b5, b6] = b;
    f(a0, b0), f(a1, b1), f(a2, b2), f(a3, b3), f(a4, b4), f(a5, b5), f(a6, b6);
  } else if constexpr (n == 8) {
    auto& [a0, a1, a2, a3, a4, a5, a6, a7] = a;
    auto& [b0, b1, b2, b3, b4, b5, b6, b7] = b;
    f(a0, b0), f(a1, b1), f(a2, b2), f(a3, b3), f(a4, b4), f(a5, b5), f(a6, b6), f(a7, b7);
  } else if constexpr (n == 9) {
    auto& [a0, a1, a2, a3, a4, a5, a6, a7, a8] = a;
    auto& [b0, b1, b2, b3, b4, b5, b6, b7, b8] = b;
    f(a0, b0), f(a1, b1), f(a2, b2), f(a3, b3), f(a4, b4), f(a5, b5), f(a6, b6), f(a7, b7),
        f(a8, b8);
  } else if constexpr (n == 10) {
    auto& [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9] = a;
    auto& [b0, b1, b2, b3, b4, b5, b6, b7, b8, b9] = b;
    f(a0, b0), f(a1, b1), f(a2, b2), f(a3, b3), f(a4, b4), f(a5, b5), f(a6, b6), f(a7, b7),
        f(a8, b8), f(a9, b9);
  } else if constexpr (n == 11) {
    auto& [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10] = a;
    auto& [b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10] = b;
    f(a0, b0), f(a1, b1), f(a2, b2), f(a3, b3), f(a4, b4), f(a5, b5), f(a6, b6), f(a7, b7),
        f(a8, b8), f(a9, b9), f(a10, b10);
  } else if constexpr (n == 12) {
    auto& [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11] = a;
    auto& [b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11] = b;
    f(a0, b0), f(a1, b1), f(a2, b2), f(a3, b3), f(a4, b4), f(a5, b5), f(a6, b6), f(a7, b7),
        f(a8, b8), f(a9, b9), f(a10, b10), f(a11, b11);
  } else if constexpr (n == 13) {
    auto& [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12] = a;
    auto& [b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12] = b;
    f(a0, b0), f(a1, b1), f(a2, b2), f(a3, b3), f(a4, b4), f(a5, b5), f(a6, b6), f(a7, b7),
        f(a8, b8), f(a9, b9), f(a10, b10), f(a11, b11), f(a12, b12);
  } else if constexpr (n == 14) {
    auto& [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13] = a;
    auto& [b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13] = b;
    f(a0, b0), f(a1, b1), f(a2, b2), f(a3, b3), f(a4, b4), f(a5, b5), f(a6, b6), f(a7, b7),
        f(a8, b8), f(a9, b9), f(a10, b10), f(a11, b11), f(a12, b12), f(a13, b13);
  } else if constexpr (n == 15) {
    auto& [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14] = a;
    auto& [b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14] = b;
    f(a0, b0), f(a1, b1), f(a2, b2), f(a3, b3), f(a4, b4), f(a5, b5), f(a6, b6), f(a7, b7),
        f(a8, b8), f(a9, b9), f(a10, b10), f(a11, b11), f(a12, b12), f(a13, b13), f(a14, b14);
  } else if constexpr (n == 16) {
    auto& [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15] = a;
    auto& [b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15] = b;
    f(a0, b0), f(a1, b1), f(a2, b2), f(a3, b3), f(a4, b4), f(a5, b5), f(a6, b6), f(a7, b7),
        f(a8, b8), f(a9, b9), f(a10, b10), f(a11, b11), f(a12, b12), f(a13, b13), f(a14, b14),
        f(a15, b15);
  } else if constexpr (n == 17) {
    auto& [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16] = a;
    auto& [b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15, b16] = b;
    f(a0, b0), f(a1, b1), f(a2, b2), f(a3, b3), f(a4, b4), f(a5, b5), f(a6, b6), f(a7, b7),
        f(a8, b8), f(a9, b9), f(a10, b10), f(a11, b11), f(a12, b12), f(a13, b13), f(a14, b14),
        f(a15, b15), f(a16, b16);
  } else if constexpr (n == 18) {
    auto& [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17] = a;
    auto& [b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15, b16, b17] = b;
    f(a0, b0), f(a1, b1), f(a2, b2), f(a3, b3), f(a4, b4), f(a5, b5), f(a6, b6), f(a7, b7),
        f(a8, b8), f(a9, b9), f(a10, b10), f(a11, b11), f(a12, b12), f(a13, b13), f(a14, b14),
        f(a15, b15), f(a16, b16), f(a17, b17);
  } else if constexpr (n == 19) {
    auto& [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18] = a;
    auto& [b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15, b16, b17, b18] = b;
    f(a0, b0), f(a1, b1), f(a2, b2), f(a3, b3), f(a4, b4), f(a5, b5), f(a6, b6), f(a7, b7),
        f(a8, b8), f(a9, b9), f(a10, b10), f(a11, b11), f(a12, b12), f(a13, b13), f(a14, b14),
        f(a15, b15), f(a16, b16), f(a17, b17), f(a18, b18);
  } else if constexpr (n == 20) {
    auto& [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18,
           a19] = a;
    auto& [b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15, b16, b17, b18,
           b19] = b;
    f(a0, b0), f(a1, b1), f(a2, b2), f(a3, b3), f(a4, b4), f(a5, b5), f(a6, b6), f(a7, b7),
        f(a8, b8), f(a9, b9), f(a10, b10), f(a11, b11), f(a12, b12), f(a13, b13), f(a14, b14),
        f(a15, b15), f(a16, b16), f(a17, b17), f(a18, b18), f(a19, b19);
  } else if constexpr (n == 21) {
    auto& [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19,
           a20] = a;
    auto& [b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15, b16, b17, b18, b19,
           b20] = b;
    f(a0, b0), f(a1, b1), f(a2, b2), f(a3, b3), f(a4, b4), f(a5, b5), f(a6, b6), f(a7, b7),
        f(a8, b8), f(a9, b9), f(a10, b10), f(a11, b11), f(a12, b12), f(a13, b13), f(a14, b14),
        f(a15, b15), f(a16, b16), f(a17, b17), f(a18, b18), f(a19, b19), f(a20, b20);
  } else if constexpr (n == 22) {
    auto& [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19,
           a20, a21] = a;
    auto& [b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15, b16, b17, b18, b19,
           b20, b21] = b;
    f(a0, b0), f(a1, b1), f(a2, b2), f(a3, b3), f(a4, b4), f(a5, b5), f(a6, b6), f(a7, b7),
        f(a8, b8), f(a9, b9), f(a10, b10), f(a11, b11), f(a12, b12), f(a13, b13), f(a14, b14),
        f(a15, b15), f(a16, b16), f(a17, b17), f(a18, b18), f(a19, b19), f(a20, b20), f(a21, b21);
  } else if constexpr (n == 23) {
    auto& [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19,
           a20, a21, a22] = a;
    auto& [b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15, b16, b17, b18, b19,
           b20, b21, b22] = b;
    f(a0, b0), f(a1, b1), f(a2, b2), f(a3, b3), f(a4, b4), f(a5, b5), f(a6, b6), f(a7, b7),
        f(a8, b8), f(a9, b9), f(a10, b10), f(a11, b11), f(a12, b12), f(a13, b13), f(a14, b14),
        f(a15, b15), f(a16, b16), f(a17, b17), f(a18, b18), f(a19, b19), f(a20, b20), f(a21, b21),
        f(a22, b22);
  } else if constexpr (n == 24) {
    auto& [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19,
           a20, a21, a22, a23] = a;
    auto& [b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15, b16, b17, b18, b19,
           b20, b21, b22, b23] = b;
    f(a0, b0), f(a1, b1), f(a2, b2), f(a3, b3), f(a4, b4), f(a5, b5), f(a6, b6), f(a7, b7),
        f(a8, b8), f(a9, b9), f(a10, b10), f(a11, b11), f(a12, b12), f(a13, b13), f(a14, b14),
        f(a15, b15), f(a16, b16), f(a17, b17), f(a18, b18), f(a19, b19), f(a20, b20), f(a21, b21),
        f(a22, b22), f(a23, b23);
  } else if constexpr (n == 25) {
    auto& [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19,
           a20, a21, a22, a23, a24] = a;
    auto& [b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15, b16, b17, b18, b19,
           b20, b21, b22, b23, b24] = b;
    f(a0, b0), f(a1, b1), f(a2, b2), f(a3, b3), f(a4, b4), f(a5, b5), f(a6, b6), f(a7, b7),
        f(a8, b8), f(a9, b9), f(a10, b10), f(a11, b11), f(a12, b12), f(a13, b13), f(a14, b14),
        f(a15, b15), f(a16, b16), f(a17, b17), f(a18, b18), f(a19, b19), f(a20, b20), f(a21, b21),
        f(a22, b22), f(a23, b23), f(a24, b24);
  } else if constexpr (n == 26) {
    auto& [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19,
           a20, a21, a22, a23, a24, a25] = a;
    auto& [b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15, b16, b17, b18, b19,
           b20, b21, b22, b23, b24, b25] = b;
    f(a0, b0), f(a1, b1), f(a2, b2), f(a3, b3), f(a4, b4), f(a5, b5), f(a6, b6), f(a7, b7),
        f(a8, b8), f(a9, b9), f(a10, b10), f(a11, b11), f(a12, b12), f(a13, b13), f(a14, b14),
        f(a15, b15), f(a16, b16), f(a17, b17), f(a18, b18), f(a19, b19), f(a20, b20), f(a21, b21),
        f(a22, b22), f(a23, b23), f(a24, b24), f(a25, b25);
  } else if constexpr (n == 27) {
    auto& [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19,
           a20, a21, a22, a23, a24, a25, a26] = a;
    auto& [b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15, b16, b17, b18, b19,
           b20, b21, b22, b23, b24, b25, b26] = b;
    f(a0, b0), f(a1, b1), f(a2, b2), f(a3, b3), f(a4, b4), f(a5, b5), f(a6, b6), f(a7, b7),
        f(a8, b8), f(a9, b9), f(a10, b10), f(a11, b11), f(a12, b12), f(a13, b13), f(a14, b14),
        f(a15, b15), f(a16, b16), f(a17, b17), f(a18, b18), f(a19, b19), f(a20, b20), f(a21, b21),
        f(a22, b22), f(a23, b23), f(a24, b24), f(a25, b25), f(a26, b26);
  } else if constexpr (n == 28) {
    auto& [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19,
           a20, a21, a22, a23, a24, a25, a26, a27] = a;
    auto& [b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15, b16, b17, b18, b19,
           b20, b21, b22, b23, b24, b25, b26, b27] = b;
    f(a0, b0), f(a1, b1), f(a2, b2), f(a3, b3), f(a4, b4), f(a5, b5), f(a6, b6), f(a7, b7),
        f(a8, b8), f(a9, b9), f(a10, b10), f(a11, b11), f(a12, b12), f(a13, b13), f(a14, b14),
        f(a15, b15), f(a16, b16), f(a17, b17), f(a18, b18), f(a19, b19), f(a20, b20), f(a21, b21),
        f(a22, b22), f(a23, b23), f(a24, b24), f(a25, b25), f(a26, b26), f(a27, b27);
  } else if constexpr (n == 29) {
    auto& [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19,
           a20, a21, a22, a23, a24, a25, a26, a27, a28] = a;
    auto& [b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15, b16, b17, b18, b19,
           b20, b21, b22, b23, b24, b25, b26, b27, b28] = b;
    f(a0, b0), f(a1, b1), f(a2, b2), f(a3, b3), f(a4, b4), f(a5, b5), f(a6, b6), f(a7, b7),
        f(a8, b8), f(a9, b9), f(a10, b10), f(a11, b11), f(a12, b12), f(a13, b13), f(a14, b14),
        f(a15, b15), f(a16, b16), f(a17, b17), f(a18, b18), f(a19, b19), f(a20, b20), f(a21, b21),
        f(a22, b22), f(a23, b23), f(a24, b24), f(a25, b25), f(a26, b26), f(a27, b27), f(a28, b28);
  } else if constexpr (n == 30) {
    auto& [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19,
           a20, a21, a22, a23, a24, a25, a26, a27, a28, a29] = a;
    auto& [b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15, b16, b17, b18, b19,
           b20, b21, b22, b23, b24, b25, b26, b27, b28, b29] = b;
    f(a0, b0), f(a1, b1), f(a2, b2), f(a3, b3), f(a4, b4), f(a5, b5), f(a6, b6), f(a7, b7),
        f(a8, b8), f(a9, b9), f(a10, b10), f(a11, b11), f(a12, b12), f(a13, b13), f(a14, b14),
        f(a15, b15), f(a16, b16), f(a17, b17), f(a18, b18), f(a19, b19), f(a20, b20), f(a21, b21),
        f(a22, b22), f(a23, b23), f(a24, b24), f(a25, b25), f(a26, b26), f(a27, b27), f(a28, b28),
        f(a29, b29);
  } else if constexpr (n == 31) {
    auto& [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19,
           a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30] = a;
    auto& [b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15, b16, b17, b18, b19,
           b20, b21, b22, b23, b24, b25, b26, b27, b28, b29, b30] = b;
    f(a0, b0), f(a1, b1), f(a2, b2), f(a3, b3), f(a4, b4), f(a5, b5), f(a6, b6), f(a7, b7),
        f(a8, b8), f(a9, b9), f(a10, b10), f(a11, b11), f(a12, b12), f(a13, b13), f(a14, b14),
        f(a15, b15), f(a16, b16), f(a17, b17), f(a18, b18), f(a19, b19), f(a20, b20), f(a21, b21),
        f(a22, b22), f(a23, b23), f(a24, b24), f(a25, b25), f(a26, b26), f(a27, b27), f(a28, b28),
        f(a29, b29), f(a30, b30);
  } else if constexpr (n == 32) {
    auto& [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19,
           a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31] = a;
    auto& [b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15, b16, b17, b18, b19,
           b20, b21, b22, b23, b24, b25, b26, b27, b28, b29, b30, b31] = b;
    f(a0, b0), f(a1, b1), f(a2, b2), f(a3, b3), f(a4, b4), f(a5, b5), f(a6, b6), f(a7, b7),
        f(a8, b8), f(a9, b9), f(a10, b10), f(a11, b11), f(a12, b12), f(a13, b13), f(a14, b14),
        f(a15, b15), f(a16, b16), f(a17, b17), f(a18, b18), f(a19, b19), f(a20, b20), f(a21, b21),
        f(a22, b22), f(a23, b23), f(a24, b24), f(a25, b25), f(a26, b26), f(a27, b27), f(a28, b28),
        f(a29, b29), f(a30, b30), f(a31, b31);
  } else if constexpr (n == 33) {
    auto& [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19,
           a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32] = a;
    auto& [b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15, b16, b17, b18, b19,
           b20, b21, b22, b23, b24, b25, b26, b27, b28, b29, b30, b31, b32] = b;
    f(a0, b0), f(a1, b1), f(a2, b2), f(a3, b3), f(a4, b4), f(a5, b5), f(a6, b6), f(a7, b7),
        f(a8, b8), f(a9, b9), f(a10, b10), f(a11, b11), f(a12, b12), f(a13, b13), f(a14, b14),
        f(a15, b15), f(a16, b16), f(a17, b17), f(a18, b18), f(a19, b19), f(a20, b20), f(a21, b21),
        f(a22, b22), f(a23, b23), f(a24, b24), f(a25, b25), f(a26, b26), f(a27, b27), f(a28, b28),
        f(a29, b29), f(a30, b30), f(a31, b31), f(a32, b32);
  } else if constexpr (n == 34) {
    auto& [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19,
           a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32, a33] = a;
    auto& [b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15, b16, b17, b18, b19,
           b20, b21, b22, b23, b24, b25, b26, b27, b28, b29, b30, b31, b32, b33] = b;
    f(a0, b0), f(a1, b1), f(a2, b2), f(a3, b3), f(a4, b4), f(a5, b5), f(a6, b6), f(a7, b7),
        f(a8, b8), f(a9, b9), f(a10, b10), f(a11, b11), f(a12, b12), f(a13, b13), f(a14, b14),
        f(a15, b15), f(a16, b16), f(a17, b17), f(a18, b18), f(a19, b19), f(a20, b20), f(a21, b21),
        f(a22, b22), f(a23, b23), f(a24, b24), f(a25, b25), f(a26, b26), f(a27, b27), f(a28, b28),
        f(a29, b29), f(a30, b30), f(a31, b31), f(a32, b32), f(a33, b33);
  } else if constexpr (n == 35) {
    auto& [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19,
           a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32, a33, a34] = a;
    auto& [b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15, b16, b17, b18, b19,
           b20, b21, b22, b23, b24, b25, b26, b27, b28, b29, b30, b31, b32, b33, b34] = b;
    f(a0, b0), f(a1, b1), f(a2, b2), f(a3, b3), f(a4, b4), f(a5, b5), f(a6, b6), f(a7, b7),
        f(a8, b8), f(a9, b9), f(a10, b10), f(a11, b11), f(a12, b12), f(a13, b13), f(a14, b14),
        f(a15, b15), f(a16, b16), f(a17, b17), f(a18, b18), f(a19, b19), f(a20, b20), f(a21, b21),
        f(a22, b22), f(a23, b23), f(a24, b24), f(a25, b25), f(a26, b26), f(a27, b27), f(a28, b28),
        f(a29, b29), f(a30, b30), f(a31, b31), f(a32, b32), f(a33, b33), f(a34, b34);
  } else if constexpr (n == 36) {
    auto& [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19,
           a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32, a33, a34, a35] = a;
    auto& [b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15, b16, b17, b18, b19,
           b20, b21, b22, b23, b24, b25, b26, b27, b28, b29, b30, b31, b32, b33, b34, b35] = b;
    f(a0, b0), f(a1, b1), f(a2, b2), f(a3, b3), f(a4, b4), f(a5, b5), f(a6, b6), f(a7, b7),
        f(a8, b8), f(a9, b9), f(a10, b10), f(a11, b11), f(a12, b12), f(a13, b13), f(a14, b14),
        f(a15, b15), f(a16, b16), f(a17, b17), f(a18, b18), f(a19, b19), f(a20, b20), f(a21, b21),
        f(a22, b22), f(a23, b23), f(a24, b24), f(a25, b25), f(a26, b26), f(a27, b27), f(a28, b28),
        f(a29, b29), f(a30, b30), f(a31, b31), f(a32, b32), f(a33, b33), f(a34, b34), f(a35, b35);
  } else if constexpr (n == 37) {
    auto& [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19,
           a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32, a33, a34, a35, a36] = a;
    auto& [b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15, b16, b17, b18, b19,
           b20, b21, b22, b23, b24, b25, b26, b27, b28, b29, b30, b31, b32, b33, b34, b35, b36] = b;
    f(a0, b0), f(a1, b1), f(a2, b2), f(a3, b3), f(a4, b4), f(a5, b5), f(a6, b6), f(a7, b7),
        f(a8, b8), f(a9, b9), f(a10, b10), f(a11, b11), f(a12, b12), f(a13, b13), f(a14, b14),
        f(a15, b15), f(a16, b16), f(a17, b17), f(a18, b18), f(a19, b19), f(a20, b20), f(a21, b21),
        f(a22, b22), f(a23, b23), f(a24, b24), f(a25, b25), f(a26, b26), f(a27, b27), f(a28, b28),
        f(a29, b29), f(a30, b30), f(a31, b31), f(a32, b32), f(a33, b33), f(a34, b34), f(a35, b35),
        f(a36, b36);
  } else if constexpr (n == 38) {
    auto& [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19,
           a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32, a33, a34, a35, a36,
           a37] = a;
    auto& [b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15, b16, b17, b18, b19,
           b20, b21, b22, b23, b24, b25, b26, b27, b28, b29, b30, b31, b32, b33, b34, b35, b36,
           b37] = b;
    f(a0, b0), f(a1, b1), f(a2, b2), f(a3, b3), f(a4, b4), f(a5, b5), f(a6, b6), f(a7, b7),
        f(a8, b8), f(a9, b9), f(a10, b10), f(a11, b11), f(a12, b12), f(a13, b13), f(a14, b14),
        f(a15, b15), f(a16, b16), f(a17, b17), f(a18, b18), f(a19, b19), f(a20, b20), f(a21, b21),
        f(a22, b22), f(a23, b23), f(a24, b24), f(a25, b25), f(a26, b26), f(a27, b27), f(a28, b28),
        f(a29, b29), f(a30, b30), f(a31, b31), f(a32, b32), f(a33, b33), f(a34, b34), f(a35, b35),
        f(a36, b36), f(a37, b37);
  } else if constexpr (n == 39) {
    auto& [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19,
           a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32, a33, a34, a35, a36, a37,
           a38] = a;
    auto& [b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15, b16, b17, b18, b19,
           b20, b21, b22, b23, b24, b25, b26, b27, b28, b29, b30, b31, b32, b33, b34, b35, b36, b37,
           b38] = b;
    f(a0, b0), f(a1, b1), f(a2, b2), f(a3, b3), f(a4, b4), f(a5, b5), f(a6, b6), f(a7, b7),
        f(a8, b8), f(a9, b9), f(a10, b10), f(a11, b11), f(a12, b12), f(a13, b13), f(a14, b14),
        f(a15, b15), f(a16, b16), f(a17, b17), f(a18, b18), f(a19, b19), f(a20, b20), f(a21, b21),
        f(a22, b22), f(a23, b23), f(a24, b24), f(a25, b25), f(a26, b26), f(a27, b27), f(a28, b28),
        f(a29, b29), f(a30, b30), f(a31, b31), f(a32, b32), f(a33, b33), f(a34, b34), f(a35, b35),
        f(a36, b36), f(a37, b37), f(a38, b38);
  } else if constexpr (n == 40) {
    auto& [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19,
           a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32, a33, a34, a35, a36, a37,
           a38, a39] = a;
    auto& [b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15, b16, b17, b18, b19,
           b20, b21, b22, b23, b24, b25, b26, b27, b28, b29, b30, b31, b32, b33, b34, b35, b36, b37,
           b38, b39] = b;
    f(a0, b0), f(a1, b1), f(a2, b2), f(a3, b3), f(a4, b4), f(a5, b5), f(a6, b6), f(a7, b7),
        f(a8, b8), f(a9, b9), f(a10, b10), f(a11, b11), f(a12, b12), f(a13, b13), f(a14, b14),
        f(a15, b15), f(a16, b16), f(a17, b17), f(a18, b18), f(a19, b19), f(a20, b20), f(a21, b21),
        f(a22, b22), f(a23, b23), f(a24, b24), f(a25, b25), f(a26, b26), f(a27, b27), f(a28, b28),
        f(a29, b29), f(a30, b30), f(a31, b31), f(a32, b32), f(a33, b33), f(a34, b34), f(a35, b35),
        f(a36, b36), f(a37, b37), f(a38, b38), f(a39, b39);
  }
}

}  // namespace detail

// A kind of member that says itself how it is rounded: T::rounded_from(F).
template <class To, class From>
concept RoundsItself = requires(const From& from) {
  To::rounded_from(from);
};

template <class To, class From>
void round_to(To& to, const From& from) {
  if constexpr (RoundsItself<To, From>) {
    to = To::rounded_from(from);
  } else if constexpr (std::is_same_v<To, From>) {
    to = from;
  } else if constexpr (std::is_arithmetic_v<To>) {
    static_assert(std::is_arithmetic_v<From>);
    to = static_cast<To>(from);
  } else {
    static_assert(std::is_aggregate_v<To> && std::is_aggregate_v<From>,
                  "numbers and structs of them are rounded");
    detail::bind_members(to, from, [](auto& a, const auto& b) { round_to(a, b); });
  }
}
template <class T, class F, int n>
void round_to(Vec<T, n>& to, const Vec<F, n>& from) {
  for (int i = 0; i < n; ++i) round_to(to[i], from[i]);
}

template <class To, class From>
To rounded_to(const From& from) {
  To to{};
  round_to(to, from);
  return to;
}

}  // namespace watersmeet

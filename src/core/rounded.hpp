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
                "more members than with_members() has cases for");
  if constexpr (n == 0 || takes<T>(std::make_index_sequence<n>{})) {
    return n;
  } else {
    return members_of<T, n - 1>();
  }
}

// f(member...) of a struct of n members. A binding has as many names as there are members, so that each number is a case of its own.
#define WATERSMEET_10 a0, a1, a2, a3, a4, a5, a6, a7, a8, a9
#define WATERSMEET_20 WATERSMEET_10, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19
#define WATERSMEET_30 WATERSMEET_20, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29
#define WATERSMEET_MEMBERS(count, ...) \
  if constexpr (n == (count)) {        \
    auto& [__VA_ARGS__] = of;          \
    f(__VA_ARGS__);                    \
  }
template <std::size_t n, class T, class F>
void with_members(T& of, const F& f) {
  WATERSMEET_MEMBERS(1, a0);
  WATERSMEET_MEMBERS(2, a0, a1);
  WATERSMEET_MEMBERS(3, a0, a1, a2);
  WATERSMEET_MEMBERS(4, a0, a1, a2, a3);
  WATERSMEET_MEMBERS(5, a0, a1, a2, a3, a4);
  WATERSMEET_MEMBERS(6, a0, a1, a2, a3, a4, a5);
  WATERSMEET_MEMBERS(7, a0, a1, a2, a3, a4, a5, a6);
  WATERSMEET_MEMBERS(8, a0, a1, a2, a3, a4, a5, a6, a7);
  WATERSMEET_MEMBERS(9, a0, a1, a2, a3, a4, a5, a6, a7, a8);
  WATERSMEET_MEMBERS(10, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9);
  WATERSMEET_MEMBERS(11, WATERSMEET_10, a10);
  WATERSMEET_MEMBERS(12, WATERSMEET_10, a10, a11);
  WATERSMEET_MEMBERS(13, WATERSMEET_10, a10, a11, a12);
  WATERSMEET_MEMBERS(14, WATERSMEET_10, a10, a11, a12, a13);
  WATERSMEET_MEMBERS(15, WATERSMEET_10, a10, a11, a12, a13, a14);
  WATERSMEET_MEMBERS(16, WATERSMEET_10, a10, a11, a12, a13, a14, a15);
  WATERSMEET_MEMBERS(17, WATERSMEET_10, a10, a11, a12, a13, a14, a15, a16);
  WATERSMEET_MEMBERS(18, WATERSMEET_10, a10, a11, a12, a13, a14, a15, a16, a17);
  WATERSMEET_MEMBERS(19, WATERSMEET_10, a10, a11, a12, a13, a14, a15, a16, a17, a18);
  WATERSMEET_MEMBERS(20, WATERSMEET_10, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19);
  WATERSMEET_MEMBERS(21, WATERSMEET_20, a20);
  WATERSMEET_MEMBERS(22, WATERSMEET_20, a20, a21);
  WATERSMEET_MEMBERS(23, WATERSMEET_20, a20, a21, a22);
  WATERSMEET_MEMBERS(24, WATERSMEET_20, a20, a21, a22, a23);
  WATERSMEET_MEMBERS(25, WATERSMEET_20, a20, a21, a22, a23, a24);
  WATERSMEET_MEMBERS(26, WATERSMEET_20, a20, a21, a22, a23, a24, a25);
  WATERSMEET_MEMBERS(27, WATERSMEET_20, a20, a21, a22, a23, a24, a25, a26);
  WATERSMEET_MEMBERS(28, WATERSMEET_20, a20, a21, a22, a23, a24, a25, a26, a27);
  WATERSMEET_MEMBERS(29, WATERSMEET_20, a20, a21, a22, a23, a24, a25, a26, a27, a28);
  WATERSMEET_MEMBERS(30, WATERSMEET_20, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29);
  WATERSMEET_MEMBERS(31, WATERSMEET_30, a30);
  WATERSMEET_MEMBERS(32, WATERSMEET_30, a30, a31);
  WATERSMEET_MEMBERS(33, WATERSMEET_30, a30, a31, a32);
  WATERSMEET_MEMBERS(34, WATERSMEET_30, a30, a31, a32, a33);
  WATERSMEET_MEMBERS(35, WATERSMEET_30, a30, a31, a32, a33, a34);
  WATERSMEET_MEMBERS(36, WATERSMEET_30, a30, a31, a32, a33, a34, a35);
  WATERSMEET_MEMBERS(37, WATERSMEET_30, a30, a31, a32, a33, a34, a35, a36);
  WATERSMEET_MEMBERS(38, WATERSMEET_30, a30, a31, a32, a33, a34, a35, a36, a37);
  WATERSMEET_MEMBERS(39, WATERSMEET_30, a30, a31, a32, a33, a34, a35, a36, a37, a38);
  WATERSMEET_MEMBERS(40, WATERSMEET_30, a30, a31, a32, a33, a34, a35, a36, a37, a38, a39);
}
#undef WATERSMEET_10
#undef WATERSMEET_20
#undef WATERSMEET_30
#undef WATERSMEET_MEMBERS

// f(member of a, member of b) for all members of two structs of as many members.
template <class A, class B, class F>
void bind_members(A& a, const B& b, const F& f) {
  constexpr std::size_t n = members_of<A>();
  static_assert(n == members_of<B>(), "both are the same template");
  with_members<n>(a, [&](auto&... to) {
    with_members<n>(b, [&](const auto&... from) { (f(to, from), ...); });
  });
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

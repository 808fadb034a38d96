#pragma once
// Which combinations of Traits are compiled: the one list that loops, stages and their choice go
// by. Back ends and number types multiply it (the files that the build makes of *variants.hpp).

#include <array>
#include <cstddef>
#include <utility>

#include "systems/atmosphere/traits.hpp"

namespace watersmeet::atmosphere {

namespace detail {
template <std::size_t a, std::size_t b>
constexpr std::array<Traits, a + b> joined(const std::array<Traits, a>& first,
                                           const std::array<Traits, b>& second) {
  std::array<Traits, a + b> all{};
  for (std::size_t n = 0; n < a; ++n) all[n] = first[n];
  for (std::size_t n = 0; n < b; ++n) all[a + n] = second[n];
  return all;
}
template <std::size_t n, class Change>
constexpr std::array<Traits, n> each(std::array<Traits, n> all, const Change& change) {
  for (Traits& t : all) change(t);
  return all;
}
constexpr auto stretch = [](Traits& t) { t.stretched = true; };
constexpr auto level = [](Traits& t) { t.equal = true; };
constexpr auto divide = [](Traits& t) { t.split = true; };
constexpr auto use_lmars = [](Traits& t) { t.lmars = true; };
constexpr auto look_across = [](Traits& t) { t.transverse = true; };
}  // namespace detail

// Meshes and equations: all loops but the stage are compiled once for each of these.
constexpr std::array<Traits, 2> box_explicit = {{{}, {.terrain = true}}};
constexpr auto box_split = detail::each(box_explicit, detail::divide);
constexpr auto box_other = detail::joined(std::array<Traits, 1>{{{.viscous = true}}}, box_split);
constexpr std::array<Traits, 3> sphere_explicit = {
    {{.sphere = true},
     {.sphere = true, .terrain = true},
     {.sphere = true, .terrain = true, .deep = true}}};
constexpr auto box_loops = detail::joined(box_explicit, box_other);
constexpr auto sphere_loops =
    detail::joined(sphere_explicit, detail::each(sphere_explicit, detail::divide));

// Stages by the schedules. Split flows have no transverse term (split.cpp), sweeps of CUDA have none
// either; tiles have no viscosity.
template <bool device>
constexpr auto box_stages = box_loops;
template <>
constexpr auto box_stages<false> = detail::joined(
    box_loops,
    detail::each(detail::joined(box_explicit, std::array<Traits, 1>{{{.viscous = true}}}),
                 [](Traits& t) { detail::look_across(t), detail::level(t); }));
namespace detail {
constexpr auto flat_and_terrain = joined(box_explicit, box_split);
}
constexpr auto box_tiles = detail::joined(
    detail::joined(detail::flat_and_terrain,
                   detail::each(detail::flat_and_terrain, detail::use_lmars)),
    detail::joined(
        detail::each(box_explicit, [](Traits& t) { detail::use_lmars(t), detail::level(t); }),
        detail::each(box_explicit, [](Traits& t) { detail::look_across(t), detail::level(t); })));
template <bool device>
constexpr auto sphere_stages = sphere_loops;
template <>
constexpr auto sphere_stages<false> =
    detail::joined(sphere_loops, detail::each(sphere_explicit, detail::look_across));
namespace detail {
constexpr auto any_sphere_tiles = joined(sphere_stages<false>, each(sphere_loops, use_lmars));
}
constexpr auto sphere_tiles = detail::each(detail::any_sphere_tiles, detail::level);
constexpr auto stretched_sphere_tiles = detail::each(detail::any_sphere_tiles, detail::stretch);

// Calls f.template operator()<own>() for that of the list which serves `wanted`: the same, or one
// that asks at run time for what `wanted` knows: the levels, the solver and the limiter. False where
// there is none.
template <const auto& list, class F>
bool with_compiled(const Traits& wanted, const F& f) {
  const auto call = [&](const Traits& own) {
    return [&]<std::size_t... n>(std::index_sequence<n...>) {
      return ((own == list[n] && (f.template operator()<list[n]>(), true)) || ...);
    }
    (std::make_index_sequence<list.size()>{});
  };
  if (call(wanted) || call(any_levels(wanted))) return true;
  return !wanted.transverse && (call(any_numerics(wanted)) || call(general(wanted)));
}

}  // namespace watersmeet::atmosphere

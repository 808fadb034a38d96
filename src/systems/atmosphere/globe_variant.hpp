#pragma once
// What is fixed when the loops of a sphere are compiled.

namespace watersmeet::atmosphere {

// split: sound across the levels is left to column.hpp. deep: over any ground, as over terrain.
// stretched: levels are not equally thick.
enum class GlobeVariant : int {
  flat,
  terrain,
  split_flat,
  split_terrain,
  deep,
  split_deep,
  stretched_flat,
  stretched_terrain,
  stretched_split_flat,
  stretched_split_terrain,
  stretched_deep,
  stretched_split_deep
};
constexpr bool equal_levels(GlobeVariant v) { return v < GlobeVariant::stretched_flat; }
// The variant with equally thick levels, and that with stretched ones.
constexpr GlobeVariant with_equal_levels(GlobeVariant v) {
  return equal_levels(v) ? v : GlobeVariant(int(v) - int(GlobeVariant::stretched_flat));
}
constexpr GlobeVariant with_stretched_levels(GlobeVariant v) {
  return equal_levels(v) ? GlobeVariant(int(v) + int(GlobeVariant::stretched_flat)) : v;
}
constexpr bool is_deep(GlobeVariant v) {
  const GlobeVariant e = with_equal_levels(v);
  return e == GlobeVariant::deep || e == GlobeVariant::split_deep;
}
constexpr bool over_terrain(GlobeVariant v) {
  const GlobeVariant e = with_equal_levels(v);
  return e == GlobeVariant::terrain || e == GlobeVariant::split_terrain || is_deep(v);
}
constexpr bool is_split(GlobeVariant v) {
  const GlobeVariant e = with_equal_levels(v);
  return e == GlobeVariant::split_flat || e == GlobeVariant::split_terrain ||
         e == GlobeVariant::split_deep;
}
// Without the split: what a step knows but for its faces between levels.
constexpr GlobeVariant whole(GlobeVariant v) {
  const GlobeVariant e = is_deep(v)        ? GlobeVariant::deep
                         : over_terrain(v) ? GlobeVariant::terrain
                                           : GlobeVariant::flat;
  return equal_levels(v) ? e : with_stretched_levels(e);
}

// Calls f.template operator()<own>() for the variants with equally thick levels.
template <class F>
void for_each_equal_variant(const F& f) {
  f.template operator()<GlobeVariant::flat>();
  f.template operator()<GlobeVariant::terrain>();
  f.template operator()<GlobeVariant::split_flat>();
  f.template operator()<GlobeVariant::split_terrain>();
  f.template operator()<GlobeVariant::deep>();
  f.template operator()<GlobeVariant::split_deep>();
}

// Of all variants.
template <class F>
void for_each_variant(const F& f) {
  for_each_equal_variant([&]<GlobeVariant own>() {
    f.template operator()<own>();
    f.template operator()<with_stretched_levels(own)>();
  });
}

}  // namespace watersmeet::atmosphere

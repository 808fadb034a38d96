// The lists of what is compiled: as many combinations as there are kernels for, and one for every
// case, which knows nothing of it that does not hold.
#include "systems/atmosphere/built.hpp"

#include <gtest/gtest.h>

#include <vector>

using namespace watersmeet::atmosphere;

namespace {

std::vector<Traits> numerics_of(Traits t) {
  Traits lmars = t, across = t;
  lmars.lmars = across.transverse = true;
  if (t.split) return {t, lmars};
  return {t, lmars, across};
}

// The loops that a list has for a case.
template <const auto& list>
void expect_served(const Traits& wanted) {
  Traits found;
  ASSERT_TRUE(with_compiled<list>(wanted, [&]<Traits own>() { found = own; }));
  EXPECT_LE(found.lmars, wanted.lmars);
  EXPECT_LE(found.equal, wanted.equal);
  EXPECT_LE(found.stretched, wanted.stretched);
  EXPECT_EQ(found.transverse, wanted.transverse);
  EXPECT_EQ(general(found), general(wanted));
}

template <const auto& list>
void expect_different(std::size_t count) {
  EXPECT_EQ(list.size(), count);
  for (std::size_t a = 0; a < list.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) EXPECT_FALSE(list[a] == list[b]) << a << " and " << b;
  }
}

}  // namespace

TEST(AtmosphereBuilt, AsManyAsThereAreKernelsFor) {
  expect_different<box_loops>(5);
  expect_different<sphere_loops>(6);
  expect_different<box_stages<true>>(5);
  expect_different<box_stages<false>>(8);
  expect_different<box_tiles>(12);
  expect_different<sphere_stages<true>>(6);
  expect_different<sphere_stages<false>>(9);
  expect_different<sphere_tiles>(15);
  expect_different<stretched_sphere_tiles>(15);
}

TEST(AtmosphereBuilt, EveryCaseIsServed) {
  for (Traits mesh : box_loops) {
    for (const bool equal : {false, true}) {
      mesh.equal = equal;
      for (const Traits& t : numerics_of(mesh)) {
        if (t.transverse && !equal) continue;  // refused
        expect_served<box_stages<false>>(t);
        if (!t.transverse) expect_served<box_stages<true>>(t);
        if (!t.viscous) expect_served<box_tiles>(t);
      }
    }
  }
  for (Traits mesh : sphere_loops) {
    for (const bool equal : {false, true}) {
      mesh.equal = equal, mesh.stretched = !equal;
      for (const Traits& t : numerics_of(mesh)) {
        expect_served<sphere_stages<false>>(t);
        if (equal) expect_served<sphere_tiles>(t);
        if (!equal) expect_served<stretched_sphere_tiles>(t);
        if (!t.transverse) expect_served<sphere_stages<true>>(t);
      }
    }
  }
}

TEST(AtmosphereBuilt, NothingIsServedByWhatItIsNot) {
  const auto none = [](const Traits& t) {
    return !with_compiled<box_stages<true>>(t, [&]<Traits>() {});
  };
  EXPECT_TRUE(none({.equal = true, .transverse = true}));  // sweeps have no transverse term
  EXPECT_TRUE(none({.sphere = true, .equal = true}));
}

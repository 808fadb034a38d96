// Exact properties of the isothermal system: symmetries, storage forms, restart and threads to the
// bit, forcing; and the verification itself, which must fail when it should.
#include "expect_rows.hpp"

#include <cmath>

#include "verify/bit_rows.hpp"

namespace watersmeet::verify {

TEST_ROWS(IsothermalExact, ExplosionKeepsTheSymmetriesOfTheCube, verify_explosion);
TEST(IsothermalExact, MassDriftIsTheKnownOne) { expect_rows(verify_conservation); }
TEST(IsothermalExact, StorageFormsAndPrecisions) { expect_rows(verify_precision); }
TEST(IsothermalExact, ForcingHasItsShapeSignAndEnergy) { expect_rows(verify_forcing); }
TEST(IsothermalExact, ShocksObeyRankineAndHugoniot) { expect_rows(verify_shock); }
TEST_ROWS(IsothermalExact, SameBits, verify_repeatability);

TEST(Verification, RowsFailWhenTheyShould) {
  int told = 0;
  Verification v(on_one_thread(), Extent::brief, [&](const VerifyRow&) { ++told; });
  const double nan = std::nan("");
  v.near("a", 1.2, 1, 0.1);
  v.near("b", nan, 1, 0.1);
  v.near_relative("c", 1.02, 1, 0.01);
  v.near_relative("d", nan, 1, 0.01);
  v.below("e", 2, 1);
  v.below("f", nan, 1);
  v.above("g", 1, 2);
  v.above("h", nan, 2);
  v.within("i", 3, 1, 2);
  v.within("j", nan, 1, 2);
  v.zero("k", 1);
  v.zero("l", nan);
  EXPECT_EQ(told, 12);
  for (const VerifyRow& row : v.rows()) EXPECT_EQ(row.outcome, Outcome::fail) << row.name;
}

// Runs that begin differently each time they are made.
TEST(Verification, BitRowsSeeRunsThatDiffer) {
  Verification v(on_one_thread(), Extent::brief);
  VerifyCase c{.cells = {8, 8, 8}, .velocity = {"0.1*sin(x)", "0", "0"}};
  int made = 0;
  bit_rows(v, "", {.on_threads = 1, .before = 1, .after = 1}, [&](int threads) {
    c.density = "1 + 0.001*" + std::to_string(++made) + "*cos(x)";
    return start(v, c, "", threads);
  });
  ASSERT_EQ(v.rows().size(), 3u);
  for (const VerifyRow& row : v.rows()) EXPECT_EQ(row.outcome, Outcome::fail) << row.name;
}

TEST(Verification, RowsPassWhenTheyShould) {
  Verification v(on_one_thread(), Extent::brief);
  v.near("a", 1.05, 1, 0.1);
  v.near_relative("b", -1.005, -1, 0.01);
  v.below("c", 1, 1);
  v.above("d", 2, 2);
  v.within("e", 1.5, 1, 2);
  v.zero("f", 0);
  for (const VerifyRow& row : v.rows()) EXPECT_EQ(row.outcome, Outcome::pass) << row.name;
  v.report("g", 1, "a remark");
  EXPECT_EQ(v.rows().back().outcome, Outcome::reported);
}

}  // namespace watersmeet::verify

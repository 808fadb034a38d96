// Units of files: dimensions as systems name them, in code units and in SI.
#include "io/units.hpp"

#include <gtest/gtest.h>

namespace watersmeet::io {
namespace {

TEST(Units, CodeUnitsAreTheirDimensions) {
  for (const char* dimension : {"1", "time", "mass/(length time^2)", "2 pi/length"})
    EXPECT_EQ(unit_text(dimension, false), dimension);
}

TEST(Units, OfSi) {
  EXPECT_EQ(unit_text("1", true), "1");
  EXPECT_EQ(unit_text("time", true), "s");
  EXPECT_EQ(unit_text("mass", true), "kg");
  EXPECT_EQ(unit_text("mass length/time", true), "kg m/s");
  EXPECT_EQ(unit_text("mass/(length time^2)", true), "Pa");
  EXPECT_EQ(unit_text("pressure", true), "Pa");
  EXPECT_EQ(unit_text("mass length^2/time^2", true), "J");
  EXPECT_EQ(unit_text("mass/length^4", true), "kg/m^4");
  EXPECT_EQ(unit_text("length^2/time^3", true), "m^2/s^3");
  EXPECT_EQ(unit_text("1/time", true), "1/s");
  EXPECT_EQ(unit_text("temperature length/time", true), "K m/s");
  EXPECT_EQ(unit_text("2 pi/length", true), "2 pi/m");
}

}  // namespace
}  // namespace watersmeet::io

// What a Poisson problem must be, its distances, and the choice of a method.
#include "solve/poisson/problem.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/error.hpp"
#include "support/poisson_case.hpp"

namespace watersmeet::solve {
namespace {

PoissonProblem box() { return test::uniform_problem({8, 4, 3}, {1, 0.5, 0.25}, {0, 1, 2}); }

TEST(PoissonProblem, Distances) {
  PoissonProblem p = box();
  EXPECT_EQ(p.fault(), "");
  EXPECT_EQ(p.width(1, 2), 0.5);
  EXPECT_EQ(p.distance(2, 3), 0.25);
  p.faces[2] = {0, 1, 3, 7};
  EXPECT_EQ(p.fault(), "");
  EXPECT_EQ(p.width(2, 1), 2);
  // Centres are at 0.5, 2 and 5; a side counts twice the way from the centre.
  EXPECT_EQ(p.distance(2, 0), 1);
  EXPECT_EQ(p.distance(2, 1), 1.5);
  EXPECT_EQ(p.distance(2, 2), 3);
  EXPECT_EQ(p.distance(2, 3), 4);
  p.sides[4] = p.sides[5] = PoissonSide::periodic;
  EXPECT_EQ(p.distance(2, 0), 2.5);
  EXPECT_EQ(p.distance(2, 3), 2.5);
}

TEST(PoissonProblem, ConstantsAreFreeWithoutADirichletSide) {
  EXPECT_FALSE(box().singular());
  EXPECT_TRUE(test::uniform_problem({2, 2, 2}, {1, 1, 1}, {0, 1, 1}).singular());
  EXPECT_FALSE(test::uniform_problem({2, 2, 2}, {1, 1, 1}, {0, 3, 1}).singular());
}

TEST(PoissonProblem, FaultsAreNamedWithTheirNumbers) {
  PoissonProblem p = box();
  p.cells[1] = 0;
  EXPECT_EQ(p.fault(), "a Poisson problem needs at least 1 cell along y, not 0");
  p = box();
  p.spacing[0] = -2;
  EXPECT_EQ(p.fault(), "the spacing along x must be a positive number, not -2");
  p.spacing[0] = std::nan("");
  EXPECT_NE(p.fault(), "");
  p = box();
  p.sides[1] = PoissonSide::neumann;
  EXPECT_EQ(p.fault(), "the lower side along x is periodic and the upper one is not: both or none");
  p = box();
  p.sides[3] = PoissonSide::periodic;
  EXPECT_EQ(p.fault(), "the upper side along y is periodic and the lower one is not: both or none");
  p = box();
  p.faces[2] = {0, 1, 2};
  EXPECT_EQ(p.fault(), "3 cells along z have 4 faces, not 3");
  p.faces[2] = {0, 1, 1, 2};
  EXPECT_EQ(p.fault(), "faces along z must ascend: face 1 is at 1, face 2 at 1");
  p.faces[2] = {0, 1, 2, INFINITY};
  EXPECT_EQ(p.fault(), "face 3 along z is at inf, which is not a finite number");
}

std::string message_of(const PoissonProblem& p, PoissonMethod method) {
  const test::PoissonCase c(box(), Precision::double_, Queue{});
  try {
    make_poisson_solver(p, method, c.place);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::user_input);
    return error.what();
  }
  return "";
}

TEST(PoissonMethod, FftIsChosenWhereItCan) {
  PoissonProblem p = box();
  EXPECT_EQ(choose_method(p, PoissonMethod::automatic), PoissonMethod::fft);
  p.faces[2] = {0, 1, 3, 7};
  EXPECT_EQ(choose_method(p, PoissonMethod::automatic), PoissonMethod::fft);
  EXPECT_EQ(choose_method(p, PoissonMethod::mg), PoissonMethod::mg);
  p.faces[0] = test::crowded_faces(8, 1, 1);
  EXPECT_EQ(choose_method(p, PoissonMethod::automatic), PoissonMethod::gemm);
  // A prime number of cells: a dense matrix where it is small, else the transform all the same.
  EXPECT_EQ(choose_method(test::uniform_problem({19, 4, 3}, {1, 1, 1}, {0, 1, 2}),
                          PoissonMethod::automatic),
            PoissonMethod::gemm);
  EXPECT_EQ(choose_method(test::uniform_problem({4, 2053, 3}, {1, 1, 1}, {0, 1, 2}),
                          PoissonMethod::automatic),
            PoissonMethod::fft);
  p.cells[0] = 5000;
  p.faces[0] = test::crowded_faces(5000, 1, 1);
  EXPECT_EQ(choose_method(p, PoissonMethod::automatic), PoissonMethod::mg);
}

TEST(PoissonMethod, RefusalsSayWhatToTake) {
  PoissonProblem p = box();
  EXPECT_EQ(message_of(p, PoissonMethod::fft), "");
  p.faces[1] = {0, 1, 2, 4, 5};
  EXPECT_EQ(message_of(p, PoissonMethod::fft),
            "fft needs equal cells along x and y, and those along y are stretched; gemm and mg do "
            "not");
  EXPECT_EQ(message_of(p, PoissonMethod::gemm), "");
  p.cells[1] = 2100;
  p.faces[1] = test::crowded_faces(2100, 1, 1);
  EXPECT_EQ(message_of(p, PoissonMethod::gemm),
            "gemm would need a dense matrix along y, which has 2100 cells and may have 2048; mg "
            "needs none");
  p = test::uniform_problem({2100, 4, 3}, {1, 1, 1}, {0, 1, 2});
  EXPECT_EQ(message_of(p, PoissonMethod::gemm),
            "gemm would need a dense matrix along x, which has 2100 cells and may have 2048; fft "
            "and mg need none");
  p = box();
  p.cells[0] = -1;
  EXPECT_EQ(message_of(p, PoissonMethod::automatic),
            "a Poisson problem needs at least 1 cell along x, not -1");
}

}  // namespace
}  // namespace watersmeet::solve

#include "config/table.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "config/input.hpp"
#include "core/error.hpp"
#include "sample_system.hpp"

using namespace watersmeet;
using namespace watersmeet::config;

namespace {

// a + b x + c y + d x y + ..., which is linear along each axis: a table of it is exact inside.
double trilinear(double x, double y, double z) {
  return 1.5 - 2 * x + 3 * y * z + 0.5 * x * y * z - z;
}

const std::vector<double> some_x = {-1, 0.5, 0.75, 4}, some_y = {0, 1, 10}, some_z = {-3, 2};

Table sample_table(bool falling_y = false) {
  std::vector<double> y = some_y, values;
  if (falling_y) std::reverse(y.begin(), y.end());
  for (const double c : some_z) {
    for (const double b : y) {
      for (const double a : some_x) values.push_back(trilinear(a, b, c));
    }
  }
  return Table({{some_x, 0}, {y, 0}, {some_z, 0}}, values);
}

double at(const Table& table, double x, double y, double z) {
  const double place[] = {x, y, z};
  return table.at(place);
}

std::string refusal(const std::vector<Table::Axis>& axes, const std::vector<double>& values) {
  try {
    Table(axes, values);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::user_input);
    return error.what();
  }
  return "";
}

const char* const head =
    "[case]\nsystem = \"isothermal\"\n[grid]\ncells = [4, 4, 4]\n"
    "[time]\nsteps = 1\n[[initial]]\n";

// A case whose tables are all x + 10 y.
Input read(const std::string& text) {
  Input input = Input::from_text(head + text, "a.toml");
  input.validate(sample::schema(), [](const TableSource& source) {
    if (source.file != "plane.nc") throw Error(ErrorKind::io, "cannot read " + source.file);
    const double x[] = {0, 1};
    std::vector<double> values;
    for (const double b : x) {
      for (const double a : x) values.push_back(a + 10 * b);
    }
    return Table({{{0, 1}, 0}, {{0, 1}, 0}}, values);
  });
  return input;
}

}  // namespace

TEST(Table, IsMultilinearBetweenItsLinesWhicheverWayTheyRun) {
  for (const bool falling : {false, true}) {
    const Table table = sample_table(falling);
    EXPECT_EQ(table.arguments(), 3u);
    for (const double x : {-1.0, -0.3, 0.5, 0.6, 0.75, 3.9, 4.0}) {
      for (const double y : {0.0, 0.2, 1.0, 7.7, 10.0}) {
        for (const double z : {-3.0, 0.1, 2.0})
          EXPECT_NEAR(at(table, x, y, z), trilinear(x, y, z), 1e-12) << x << " " << y << " " << z;
      }
    }
  }
}

TEST(Table, GivesItsOwnNumbersAtItsLinesAndTheOutermostBeyond) {
  const Table table = sample_table();
  for (const double x : some_x) {
    for (const double y : some_y) {
      for (const double z : some_z) EXPECT_EQ(at(table, x, y, z), trilinear(x, y, z));
    }
  }
  EXPECT_EQ(at(table, -9, 1, 2), trilinear(-1, 1, 2));
  EXPECT_EQ(at(table, 99, 11, -4), trilinear(4, 10, -3));
}

TEST(Table, APeriodJoinsTheLastLineToTheFirst) {
  const Table table({{{0, 90, 180, 270}, 360}}, {1, 2, 3, 5});
  const auto f = [&](double x) { return table.at(&x); };
  for (const double turn : {-720.0, 0.0, 360.0}) {
    EXPECT_DOUBLE_EQ(f(turn + 90), 2);
    EXPECT_DOUBLE_EQ(f(turn + 225), 4);
    EXPECT_DOUBLE_EQ(f(turn + 270), 5);
    EXPECT_DOUBLE_EQ(f(turn + 315), 3);  // halfway from 5 to 1
  }
  // The first line may be repeated.
  const Table closed({{{0, 180, 360}, 360}}, {1, 3, 1});
  for (const double x : {-90.0, 270.0, 630.0}) EXPECT_DOUBLE_EQ(closed.at(&x), 2);
}

TEST(Table, RefusesWhatIsNoTable) {
  EXPECT_EQ(refusal({{{0, 2, 1}, 0}}, {1, 2, 3}),
            "coordinates of the first argument: 2 is followed by 1; they must rise or fall "
            "throughout");
  EXPECT_EQ(refusal({{{0, 1}, 0}, {{3, 3}, 0}}, {1, 2, 3, 4}),
            "coordinates of the second argument: 3 is followed by 3; they must rise or fall "
            "throughout");
  EXPECT_EQ(refusal({{{0, 360}, 180}}, {1, 2}),
            "the period 180 is shorter than the 360 that the coordinates of the first argument "
            "span");
  EXPECT_EQ(refusal({{{0, 1, 2}, 0}}, {1, std::nan(""), INFINITY}),
            "not finite or missing: 2 of 3 numbers; fill the gaps first");
}

TEST(Table, ExpressionsCallItLikeAnyFunction) {
  Constants names = {{"k", 2.0}};
  names.tables["bed"] = std::make_shared<const Table>(sample_table());
  Expression expression("k*bed(x, 2*y, min(z, 1)) + 1", {"x", "y", "z"}, names);
  EXPECT_FALSE(expression.is_constant());
  const double x = 0.6, y = 0.25, z = 1.5;
  const double* columns[] = {&x, &y, &z};
  double out = 0;
  Expression copy = expression;
  copy.evaluate_row(1, columns, &out);
  EXPECT_NEAR(out, 2 * trilinear(0.6, 0.5, 1) + 1, 1e-12);
  EXPECT_NEAR(Expression("bed(0.5, 1, 2)", {}, names).constant(), trilinear(0.5, 1, 2), 1e-12);
  EXPECT_EQ(Expression::check("bed(x, y)", {"x", "y"}, names).at(0).message,
            "too few arguments for function `bed`");
  EXPECT_EQ(Expression::check("bad(x)", {"x"}, names).at(0).suggestion, "did you mean `bed`?");
  EXPECT_EQ(Expression::check("bed", {"x"}, names).at(0).message,
            "function `bed` needs its argument in parentheses");
}

TEST(TablesOfACase, AreReadBeforeTheExpressionsThatCallThem) {
  Input input = read(
      "density = \"1 + h*hump(x, y)\"\n[constants]\nh = 0.5\n"
      "[tables.hump]\nfile = \"plane.nc\"\n");
  ASSERT_FALSE(input.has_faults()) << input.faults_text();
  const double x = 0.5, y = 0.25;
  const double* columns[] = {&x, &y, nullptr, nullptr};
  double out = 0;
  Expression(input.expression("initial[0].density"), {"x", "y", "z", "r"}, input.constants())
      .evaluate_row(1, columns, &out);
  EXPECT_DOUBLE_EQ(out, 1 + 0.5 * (0.5 + 2.5));
  EXPECT_EQ(input.files().at("tables.hump.file"), "plane.nc");
  // The resolved case is one, and gives the same.
  input.rename_file("tables.hump.file", "inputs/plane.nc");
  EXPECT_NE(input.resolved_toml().find("hump.file = \"inputs/plane.nc\""), std::string::npos)
      << input.resolved_toml();
}

TEST(TablesOfACase, HaveOneFaultEach) {
  const auto fault_of = [](const std::string& text) {
    const Input input = read(text);
    EXPECT_EQ(input.faults().size(), 1u) << text << input.faults_text();
    return input.has_faults() ? input.faults()[0] : Fault{};
  };
  const std::string uses = "density = \"hump(x, y)\"\n";  // not blamed
  const Fault missing = fault_of(uses + "[tables.hump]\nfile = \"none.nc\"\n");
  EXPECT_EQ(missing.message, "table `hump`: cannot read none.nc");
  EXPECT_EQ(missing.line, 10);
  EXPECT_EQ(missing.key, "tables.hump.file");
  EXPECT_EQ(fault_of(uses + "[tables.hump]\nfield = \"z\"\n").key, "tables.hump.file");
  EXPECT_EQ(fault_of(uses + "[tables.hump]\nfile = \"plane.nc\"\nperiods = [1]\n").suggestion,
            "did you mean `period`?");
  EXPECT_EQ(fault_of(uses + "[tables.hump]\nfile = \"plane.nc\"\ncomponent = -1\n").key,
            "tables.hump.component");
  EXPECT_EQ(fault_of("[tables.sin]\nfile = \"plane.nc\"\n").message,
            "table `sin` has the name of a built-in function, constant or variable");
  EXPECT_EQ(fault_of("[constants]\nk = 1\n[tables.k]\nfile = \"plane.nc\"\n").message,
            "table `k` has the name of a constant");
  EXPECT_EQ(fault_of("density = \"hump(x)\"\n[tables.hump]\nfile = \"plane.nc\"\n").message,
            "too few arguments for function `hump`");
}

TEST(Constants, CannotTakeTheNameOfACoordinateOfTheSystem) {
  Schema schema = sample::schema();
  const std::string text = std::string(head) + "[constants]\nlon = 3\n";
  Input without = Input::from_text(text, "a.toml");
  without.validate(schema);
  EXPECT_FALSE(without.has_faults()) << without.faults_text();
  schema.add({.path = "physics.bed",
              .type = KeyType::expression,
              .variables = "x y lon lat",
              .help = "Level of the bed."});
  Input with = Input::from_text(text, "a.toml");
  with.validate(schema);
  ASSERT_EQ(with.faults().size(), 1u);
  EXPECT_EQ(with.faults()[0].message,
            "constant `lon` is the name of a built-in function, constant or variable");
  EXPECT_EQ(with.faults()[0].line, 9);
}

#include "config/expression.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "core/error.hpp"

using namespace watersmeet;
using namespace watersmeet::config;

namespace {

double value(const std::string& text, const Constants& constants = {}) {
  return Expression(text, {}, constants).constant();
}

ExpressionFault only_fault(const std::string& text,
                           const std::vector<std::string>& variables = {}) {
  const std::vector<ExpressionFault> faults = Expression::check(text, variables, {});
  EXPECT_EQ(faults.size(), 1u) << text;
  return faults.empty() ? ExpressionFault{} : faults.front();
}

}  // namespace

TEST(Expression, ArithmeticFollowsMathematics) {
  EXPECT_DOUBLE_EQ(value("1 + 2*3"), 7.0);
  EXPECT_DOUBLE_EQ(value("-2^2"), -4.0);
  EXPECT_DOUBLE_EQ(value("2^3^2"), 512.0);
  EXPECT_DOUBLE_EQ(value("7/2"), 3.5);
  EXPECT_DOUBLE_EQ(value("2*pi"), 6.283185307179586);
  EXPECT_DOUBLE_EQ(value("log(e) + ln(e^2)"), 3.0);
  EXPECT_DOUBLE_EQ(value("1 < 2 ? 10 : 20"), 10.0);
  EXPECT_DOUBLE_EQ(value("1 > 2 || 3 >= 3 ? 10 : 20"), 10.0);
  EXPECT_DOUBLE_EQ(value("1e-3*1E+3"), 1.0);
  EXPECT_DOUBLE_EQ(value(".5 + 5."), 5.5);
  EXPECT_DOUBLE_EQ(value("a*b", {{"a", 3.0}, {"b", 0.5}}), 1.5);
}

TEST(Expression, FunctionsHaveTheirKnownValues) {
  EXPECT_DOUBLE_EQ(value("sin(pi/6)"), 0.5);
  EXPECT_DOUBLE_EQ(value("cos(0)"), 1.0);
  EXPECT_DOUBLE_EQ(value("4*atan(1)"), M_PI);
  EXPECT_DOUBLE_EQ(value("atan2(1, -1)"), 0.75 * M_PI);
  EXPECT_DOUBLE_EQ(value("asin(1) + acos(1)"), M_PI / 2);
  EXPECT_NEAR(value("cosh(2)^2 - sinh(2)^2"), 1.0, 1e-14);
  EXPECT_DOUBLE_EQ(value("atanh(tanh(0.5))"), 0.5);
  EXPECT_DOUBLE_EQ(value("asinh(sinh(1.5))"), 1.5);
  EXPECT_DOUBLE_EQ(value("acosh(cosh(1.5))"), 1.5);
  EXPECT_DOUBLE_EQ(value("tan(pi/4)"), 1.0);
  EXPECT_DOUBLE_EQ(value("sqrt(16) + abs(-3)"), 7.0);
  EXPECT_DOUBLE_EQ(value("log10(1000) + log2(8)"), 6.0);
  EXPECT_DOUBLE_EQ(value("min(3, -1, 2) + max(3, -1, 2)"), 2.0);
  EXPECT_DOUBLE_EQ(value("mod(-0.25, 1)"), 0.75);
  EXPECT_DOUBLE_EQ(value("mod(7, 3)"), 1.0);
  EXPECT_DOUBLE_EQ(value("floor(-1.5) + ceil(-1.5)"), -3.0);
  EXPECT_DOUBLE_EQ(value("sign(-3) + sign(0) + sign(5)"), 0.0);
  EXPECT_DOUBLE_EQ(value("erf(0)"), 0.0);
}

TEST(Expression, EveryListedFunctionCanBeCalled) {
  for (const std::string& name : function_names()) {
    const bool two = name == "atan2" || name == "mod";
    EXPECT_TRUE(Expression::check(name + (two ? "(0.5, 2)" : "(0.5)"), {}, {}).empty()) << name;
  }
}

// Values are kept where no variable changes; a change of either, or back, is seen.
TEST(Expression, RowsSeeEveryChange) {
  Expression expression("a + 10*b", {"a", "b"}, {});
  const double a[] = {1, 1, 2, 2, 2, 1, 1}, b[] = {3, 3, 3, 4, 4, 4, 3};
  const double* const columns[] = {a, b};
  double out[7];
  for (int call = 0; call < 2; ++call) {
    expression.evaluate_row(7, columns, out);
    for (int i = 0; i < 7; ++i) EXPECT_EQ(out[i], a[i] + 10 * b[i]) << i;
  }
}

TEST(Expression, RowsAreEvaluatedPointByPoint) {
  Expression expression("a*x + sin(y)*z", {"x", "y", "z", "t"}, {{"a", 2.0}});
  std::vector<double> x(37), y(37), z(37), out(37);
  for (std::size_t i = 0; i < 37; ++i) {
    x[i] = 0.1 * static_cast<double>(i);
    y[i] = 1.0 - x[i];
    z[i] = x[i] * x[i];
  }
  const double* columns[] = {x.data(), y.data(), z.data(), nullptr};  // t is not used
  expression.evaluate_row(37, columns, out.data());
  for (std::size_t i = 0; i < 37; ++i) EXPECT_EQ(out[i], 2.0 * x[i] + std::sin(y[i]) * z[i]);
  EXPECT_TRUE(expression.depends_on("y"));
  EXPECT_FALSE(expression.depends_on("t"));
  EXPECT_FALSE(expression.is_constant());
  Expression one("1.5", {"x"});
  one.evaluate_row(37, columns, out.data());
  EXPECT_EQ(out[36], 1.5);
  EXPECT_THROW(expression.constant(), Error);
}

TEST(Expression, CopiesWorkInParallel) {
  const Expression original("x^2 + cos(y)", {"x", "y"});
  std::vector<int> wrong(4, 0);
  std::vector<std::thread> threads;
  for (std::size_t id = 0; id < 4; ++id) {
    threads.emplace_back([&, id] {
      Expression mine = original;
      for (int k = 0; k < 2000; ++k) {
        const double x = static_cast<double>(id) + 0.25 * k;
        const double y = -x;
        const double* columns[] = {&x, &y};
        double out = 0;
        mine.evaluate_row(1, columns, &out);
        if (out != x * x + std::cos(y)) ++wrong[id];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4, 0));
}

TEST(Expression, FaultsHaveAPlaceAndAdvice) {
  const ExpressionFault function = only_fault("x<0 ? z : tnh(z)", {"x", "z"});
  EXPECT_EQ(function.position, 10u);
  EXPECT_EQ(function.width, 3u);
  EXPECT_EQ(function.suggestion, "did you mean `tanh`?");
  EXPECT_EQ(only_fault("sin(y)", {"x"}).position, 4u);
  EXPECT_EQ(only_fault("--x", {"x"}).position, 1u);
  EXPECT_EQ(only_fault("2 + * 3").position, 4u);
  EXPECT_EQ(only_fault("x +", {"x"}).position, 3u);
  EXPECT_EQ(only_fault("min(1, sin())").position, 7u);
  EXPECT_EQ(only_fault("x = 2", {"x"}).position, 2u);  // muParser would assign to x
  EXPECT_EQ(only_fault("1, 5").suggestion, "did you mean 1.5?");
  EXPECT_EQ(only_fault("pi(3)").message, "`pi` is not a function");
  EXPECT_EQ(Expression::check("foo + bar(2) + baz", {}, {}).size(), 3u);
  EXPECT_THROW(Expression("tnh(1)", {}), Error);
}

TEST(Expression, BrokenTextsAreRefusedNotCrashedOn) {
  for (const char* text :
       {"",      " ",      "(",        ")",     "()",  "?",   ":",      "1?2",       ",",
        "..",    "1..2",   "1e",       "\"a\"", "'",   "\\",  "#",      "@",         "sin",
        "sin()", "sin(,)", "x?:",      "+",     "*",   "^",   "!",      "!1",        "1 2",
        "2 (3)", "0x10",   "\xC3\xA4", "a[1]",  "{1}", "1;2", "(1)(2)", "if(1,2,3)", "min()",
        "1 = 1", "1 & 1",  "((1)",     "&&",    "1 <", "<> 2"}) {
    EXPECT_FALSE(Expression::check(text, {"x"}, {}).empty()) << text;
  }
}

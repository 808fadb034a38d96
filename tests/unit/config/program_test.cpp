// Programs of expressions against the parser that evaluates all other expressions of cases.
#include "config/program.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/error.hpp"

namespace watersmeet::config {
namespace {

const std::vector<FieldName> fields = {{"p", 1}, {"velocity", 3}, {"rho", 1}};
const Constants constants = {{"c0", 1.25}};

template <int width>
std::vector<double> values_of(const std::string& text, const std::vector<FieldName>& known,
                              const std::vector<std::vector<double>>& columns) {
  std::vector<FieldInput> inputs;
  const std::vector<Instruction> code = compile_program(text, known, constants, inputs);
  const std::size_t cells = columns[0].size();
  std::vector<double> values;
  for (std::size_t first = 0; first < cells; first += width) {
    double result[width];
    const auto load = [&](int input, double(&to)[width]) {
      const FieldInput from = inputs[static_cast<std::size_t>(input)];
      // Columns: p, velocity.x, velocity.y, velocity.z, rho.
      const std::size_t column = from.field == 0   ? 0
                                 : from.field == 1 ? 1 + static_cast<std::size_t>(from.component)
                                                   : 4;
      for (int l = 0; l < width; ++l)
        to[l] = columns[column][std::min(first + static_cast<std::size_t>(l), cells - 1)];
    };
    run_program<width>(code.data(), static_cast<int>(code.size()), load, result);
    for (std::size_t l = 0; l < width && first + l < cells; ++l) values.push_back(result[l]);
  }
  return values;
}

std::vector<std::vector<double>> columns() {
  std::vector<std::vector<double>> all(5);
  for (int c = 0; c < 41; ++c) {
    for (std::size_t v = 0; v < 5; ++v)
      all[v].push_back(std::sin(1.7 * c + double(v)) * (c % 5 == 0 ? 3.0 : 0.9));
    all[4].back() = 1 + std::abs(all[4].back());
  }
  all[0][3] = all[0][7] = 0;
  return all;
}

// With underscores where the grammar of the other parser has no points.
std::vector<double> expected(std::string text, const std::vector<std::vector<double>>& given) {
  for (const char* const name : {"velocity.x", "velocity.y", "velocity.z"}) {
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name))
      text[at + 8] = '_';
  }
  Expression parser(text, {"p", "velocity_x", "velocity_y", "velocity_z", "rho"}, constants);
  const double* starts[] = {given[0].data(), given[1].data(), given[2].data(), given[3].data(),
                            given[4].data()};
  std::vector<double> values(given[0].size());
  parser.evaluate_row(values.size(), starts, values.data());
  return values;
}

TEST(Program, GivesWhatTheParserGives) {
  const auto given = columns();
  for (const char* const text : {"p",
                                 "2.5",
                                 "5e-324",
                                 "p + 1e-310*rho + 1e-400",
                                 "velocity.y",
                                 "rho*velocity.x*velocity.z",
                                 "p - rho - 1",
                                 "p/rho/2",
                                 "-p^2",
                                 "rho^2^p",
                                 "rho^-p",
                                 "(-p)^2",
                                 "2^-1",
                                 "-rho^-2 + +p",
                                 "p - -rho",
                                 "1 - 2*p + 3*rho/4",
                                 "p > 0 ? rho : -rho",
                                 "p > 0 ? rho > 1.5 ? 1 : 2 : 3",
                                 "p < 0 ? 1 : p < 0.5 ? 2 : 3",
                                 "p < rho && velocity.x > 0 || p == 0",
                                 "p != 0",
                                 "p <= 0",
                                 "p >= 0",
                                 "1 < 2 == 1",
                                 "max(p, rho, velocity.x) - min(p, -1)",
                                 "max(p)",
                                 "mod(velocity.x, 0.3)",
                                 "atan2(p, rho)",
                                 "sqrt(velocity.x^2 + velocity.y^2 + velocity.z^2)",
                                 "exp(-p)*cos(pi*rho) + e",
                                 "abs(p)",
                                 "sign(p)",
                                 "floor(4*p) + ceil(4*p)",
                                 "ln(rho) + log(rho) + log10(rho) + log2(rho)",
                                 "sin(p) + tan(p) + sinh(p) + cosh(p) + tanh(p)",
                                 "asin(p/4) + acos(p/4) + atan(p)",
                                 "asinh(p) + acosh(1 + rho) + atanh(p/4)",
                                 "erf(p)",
                                 "c0*p",
                                 "rho ^ 2 * p",
                                 "((p + 1)*(rho + (2 - velocity.x)))^3"}) {
    ASSERT_TRUE(check_program(text, fields, constants).empty())
        << text << ": " << check_program(text, fields, constants)[0].message;
    const std::vector<double> wanted = expected(text, given);
    const std::vector<double> one = values_of<1>(text, fields, given);
    for (std::size_t c = 0; c < wanted.size(); ++c)
      EXPECT_NEAR(one[c], wanted[c], 4e-16 * std::abs(wanted[c])) << text << " in cell " << c;
    EXPECT_EQ(one, values_of<32>(text, fields, given))
        << text;  // how many cells go together changes nothing
  }
}

TEST(Program, ReadsEachNumberOfACellOnce) {
  std::vector<FieldInput> inputs;
  compile_program("p*velocity.z + p", fields, constants, inputs);
  compile_program("velocity.z^2", fields, constants, inputs);
  EXPECT_EQ(inputs, (std::vector<FieldInput>{{0, 0}, {1, 2}}));
}

struct Wrong {
  const char *text, *message, *suggestion;
  std::size_t position;
};

TEST(Program, SaysWhatIsWrong) {
  const std::vector<Wrong> all = {
      {"rho*velocty.x",
       "unknown name `velocty.x`; known here: p, velocity.x, velocity.y, velocity.z, rho, c0, pi, "
       "e",
       "did you mean `velocity.x`?", 4},
      {"rho + velocity", "`velocity` is a vector, and an expression needs one of its components",
       "write velocity.x, velocity.y or velocity.z", 6},
      {"velocity_x", "unknown name `velocity_x`", "did you mean `velocity.x`?", 0},
      {"p +", "the expression ends too early", "", 3},
      {"", "the expression is empty", "", 0},
      {"2p", "a `*` is missing", "did you mean `2*p`?", 0},
      {"table(p)", "unknown function `table`", "", 0},
      {"1+(1+(1+(1+(1+(1+(1+(1+(1+(1+(1+(1+p)))))))))))",
       "the expression holds more than 12 numbers at a time while it is evaluated",
       "write it with fewer parentheses within parentheses", 0},
  };
  for (const Wrong& wrong : all) {
    const std::vector<ExpressionFault> faults = check_program(wrong.text, fields, constants);
    ASSERT_FALSE(faults.empty()) << wrong.text;
    EXPECT_EQ(faults[0].message, wrong.message);
    EXPECT_EQ(faults[0].suggestion, wrong.suggestion);
    EXPECT_EQ(faults[0].position, wrong.position) << wrong.text;
  }
  const Constants same = {{"rho", 2.0}};
  EXPECT_EQ(check_program("p*rho", fields, same).at(0).message,
            "`rho` is a field and a constant of [constants]");
  EXPECT_TRUE(check_program("p", fields, same).empty());
}

TEST(Program, ComputesConstantPartsOnce) {
  std::vector<FieldInput> inputs;
  // 2 pi, p, and their product and its sine.
  EXPECT_EQ(compile_program("sin(2*pi*p)", fields, constants, inputs).size(), 4u);
  EXPECT_EQ(compile_program("p*(1 > 2 ? c0 : max(3, 2, 5)^2)", fields, constants, inputs)[1].value,
            25);
}

TEST(Program, PutsDefinitionsInThePlaceOfNames) {
  const std::vector<FieldName> known = {
      {"m"}, {"r.o"}, {"u", 3, {"m/r.o", "2*m", "0"}}, {"square", 1, {"(u.x + u.y)"}}};
  std::vector<FieldInput> inputs;
  const auto code = compile_program("square^2 - u.z", known, {}, inputs);
  const double values[2] = {6, 4};
  double result[1];
  run_program<1>(
      code.data(), static_cast<int>(code.size()),
      [&](int input, double(&to)[1]) { to[0] = values[inputs[std::size_t(input)].field]; }, result);
  EXPECT_EQ(result[0], 13.5 * 13.5);
  // A text itself may use the name of a definition, whatever that is made of.
  EXPECT_TRUE(
      check_program("square*u.x", {{"u", 3, {"m", "m", "m"}}, {"square", 1, {"m^2"}}}, {}).empty());
}

TEST(Program, CallsTablesWhereTheCallerTakesThem) {
  Constants with_table = constants;
  with_table.tables["f"] = std::make_shared<Table>(
      std::vector<Table::Axis>{{{0, 1}, 0}, {{0, 2}, 0}}, std::vector<double>{0, 1, 10, 11});
  EXPECT_FALSE(check_program("f(p, rho)", fields, with_table).empty());
  EXPECT_TRUE(check_program("f(p, rho)", fields, with_table, TableCalls::allowed).empty());
  EXPECT_FALSE(check_program("f(p)", fields, with_table, TableCalls::allowed).empty());
  std::vector<FieldInput> inputs;
  std::vector<std::shared_ptr<const Table>> tables;
  const auto code =
      compile_program("1 + f(p, rho) + f(0.5, 1)", fields, with_table, inputs, &tables);
  ASSERT_EQ(tables.size(), 1u);
  EXPECT_EQ(code.back().operation, Operation::add);
  const TableView views[] = {tables[0]->view()};
  const double values[3] = {0.25, 0, 1.5};  // p, none, rho
  double result[1];
  run_program<1>(
      code.data(), static_cast<int>(code.size()),
      [&](int input, double(&to)[1]) { to[0] = values[inputs[std::size_t(input)].field]; }, result,
      views);
  EXPECT_DOUBLE_EQ(result[0], 1 + 7.75 + 5.5);
  EXPECT_EQ(depth_of(code, tables), 3);
}

TEST(Program, ReadsListsOfNames) {
  const auto all = fields_of("rho  u.x u.y u.z p");
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[1].name, "u");
  EXPECT_EQ(all[1].components, 3);
  EXPECT_EQ(all[2].name, "p");
}

}  // namespace
}  // namespace watersmeet::config

#include "exec/source_text.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

namespace watersmeet::exec {

namespace {

using Kind = SourceInput::Kind;

// Reads of a thread that are under way together, at most; with more its registers do not suffice.
constexpr int most_reads = 16;

// A number with all its bits.
std::string number_text(double value) {
  return fmt::format("__longlong_as_double(0x{:x}ll)", std::bit_cast<std::uint64_t>(value));
}

std::string pointer_text(const double* values) {
  return fmt::format("(const double*)0x{:x}ull", reinterpret_cast<std::uintptr_t>(values));
}

std::string table_text(std::size_t number, const TableView& table) {
  std::string axes;
  for (int a = 0; a < table.arguments; ++a) {
    const TableAxis& axis = table.axes[a];
    axes += fmt::format("{{{}, {}, {}}}, ", pointer_text(axis.at), axis.lines,
                        number_text(axis.period));
  }
  return fmt::format(
      "__device__ __forceinline__ TableView table_{}() {{ return {{{}, {{{}}}, {}}}; }}\n", number,
      table.arguments, axes, pointer_text(table.values));
}

// Whether it is read in each cell, and not the same for all.
bool of_cells(const SourceInput& input) {
  return input.kind == Kind::variable || input.kind == Kind::mean || input.kind == Kind::extra ||
         input.kind == Kind::place;
}

// How an expression names an input.
std::string input_name(const SourceInput& input, int number) {
  switch (input.kind) {
    case Kind::time:
      return "step.t";
    case Kind::step:
      return "step.dt";
    case Kind::scalar:
      return fmt::format("scalars[{}]", input.variable);
    default:
      return fmt::format("double(inputs.n{})", number);
  }
}

// The value of an input in the cell `c`.
std::string read_text(const SourceInput& input) {
  switch (input.kind) {
    case Kind::extra:
      return "extra[c.at]";
    case Kind::place: {
      const char* const index[3] = {"c.i", "c.j", "c.k"};
      std::string at;
      for (int a = 0; a < 3; ++a)
        if (input.stride[a] != 0) at += fmt::format(" + {} * {}ll", index[a], input.stride[a]);
      return fmt::format("({})[0{}]", pointer_text(input.values), at);
    }
    default: {
      const char* const stride[3] = {"1", "c.stride_j", "c.stride_k"};
      std::vector<std::string> shifts = {""};
      for (int a = 0; a < 3; ++a) {
        if (input.reach[a] == 0) continue;
        const std::size_t half = shifts.size();
        for (std::size_t m = 0; m < half; ++m)
          shifts.push_back(
              fmt::format("{} {} {}", shifts[m], input.reach[a] < 0 ? "-" : "+", stride[a]));
      }
      const auto value = [&](const std::string& shift) {
        return fmt::format("in[c.at + {} * c.stride_var{}]", input.variable, shift);
      };
      if (input.kind == Kind::variable) return value("");
      std::string sum = "0.0";
      for (const std::string& shift : shifts)
        sum = fmt::format("({} + double({}))", sum, value(shift));
      return fmt::format("{} / {}.0", sum, shifts.size());
    }
  }
}

// Statements that compute a program and give its value to the variable `result`.
std::string program_text(const SourceTerms& terms, const SourceProgram& program,
                         const std::string& result) {
  std::string text;
  std::vector<int> stack;
  for (int n = program.first; n < program.first + program.count; ++n) {
    const Instruction& i = terms.code[static_cast<std::size_t>(n)];
    const bool table = i.operation == Operation::table;
    const int operands = table ? terms.tables[static_cast<std::size_t>(i.input)].arguments
                               : operands_of(i.operation);
    std::vector<std::string> of;
    for (auto at = stack.end() - operands; at != stack.end(); ++at)
      of.push_back(fmt::format("v{}", *at));
    stack.resize(stack.size() - static_cast<std::size_t>(operands));
    stack.push_back(n);
    if (table) text += fmt::format("    const double p{}[] = {{{}}};\n", n, fmt::join(of, ", "));
    std::string value;
    if (i.operation == Operation::constant) {
      value = number_text(i.value);
    } else if (i.operation == Operation::input) {
      value = input_name(terms.inputs[static_cast<std::size_t>(i.input)], i.input);
    } else if (table) {
      value = fmt::format("look_up(table_{}(), p{})", i.input, n);
    } else if (i.operation == Operation::choose) {
      value = fmt::format("{} != 0 ? {} : {}", of[0], of[1], of[2]);
    } else {
      value = fmt::format("operate<Operation({})>({})", static_cast<int>(i.operation),
                          fmt::join(of, ", "));
    }
    text += fmt::format("    const double v{} = {};\n", n, value);
  }
  return text + fmt::format("    {} = v{};\n", result, stack.back());
}

}  // namespace

SourceText source_text(const SourceTerms& terms) {
  std::vector<bool> used(terms.inputs.size(), false);
  for (const SourceProgram& program : terms.programs) {
    for (int n = program.first; n < program.first + program.count; ++n) {
      const Instruction& i = terms.code[static_cast<std::size_t>(n)];
      if (i.operation == Operation::input) used[static_cast<std::size_t>(i.input)] = true;
    }
  }
  std::string tables, members, reads, variables, scalars, rates;
  int n_reads = 2 * static_cast<int>(terms.programs.size());
  for (std::size_t n = 0; n < terms.tables.size(); ++n) tables += table_text(n, terms.tables[n]);
  for (std::size_t n = 0; n < terms.inputs.size(); ++n) {
    const SourceInput& input = terms.inputs[n];
    if (!used[n] || !of_cells(input)) continue;
    const bool stored = input.kind == Kind::variable || input.kind == Kind::extra;
    members += fmt::format("    {} n{};\n", stored ? "R" : "double", n);
    reads += fmt::format("    to.n{} = {};\n", n, read_text(input));
    ++n_reads;
  }
  for (std::size_t p = 0; p < terms.programs.size(); ++p) {
    variables += fmt::format("p == {} ? {} : ", p, terms.programs[p].variable);
    rates += fmt::format("    {{\n{}    }}\n",
                         program_text(terms, terms.programs[p], fmt::format("rate[{}]", p)));
  }
  for (std::size_t n = 0; n < terms.scalars.size(); ++n) {
    scalars += fmt::format("    if (n == {}) {{\n    double value;\n{}    return value;\n    }}\n",
                           n, program_text(terms, terms.scalars[n], "value"));
  }
  const int cells = n_reads * 4 <= most_reads ? 4 : n_reads * 2 <= most_reads ? 2 : 1;
  std::string text = fmt::format(
      R"text(#include "exec/source_pass_cuda.hpp"
namespace watersmeet::exec {{
using R = {number};
{tables}struct Case {{
  static constexpr bool of_side = {of_side};
  static constexpr int programs = {programs}, scalars = {n_scalars}, cells = {cells};
  static __device__ constexpr int variable(int p) {{ return {variables}0; }}
  static __device__ __noinline__ double scalar(int n, const SourceStep& step) {{
{scalars}    return 0;
  }}
  struct Inputs {{
{members}  }};
  static __device__ __forceinline__ void read(const R* in, const R* extra, const SourceCell& c, Inputs& to) {{
{reads}  }}
  static __device__ __forceinline__ void rates(const Inputs& inputs, const SourceStep& step, const double* scalars, double* rate) {{
{rates}  }}
}};
extern "C" __global__ void __launch_bounds__(source_columns * source_rows) add_sources(const __grid_constant__ SourcePass s) {{
  add_sources_of<Case, R>(s);
}}
}}
)text",
      fmt::arg("number", terms.precision == Precision::single_ ? "float" : "double"),
      fmt::arg("of_side", terms.of_side), fmt::arg("tables", tables),
      fmt::arg("programs", terms.programs.size()), fmt::arg("n_scalars", terms.scalars.size()),
      fmt::arg("cells", cells), fmt::arg("variables", variables), fmt::arg("scalars", scalars),
      fmt::arg("members", members), fmt::arg("reads", reads), fmt::arg("rates", rates));
  return {std::move(text), cells};
}

}  // namespace watersmeet::exec

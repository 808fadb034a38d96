// Parts of the expressions of sources that are computed before the kernels run: of one coordinate, and of time.
#include <algorithm>
#include <optional>
#include <utility>

#include "systems/user_sources.hpp"

namespace watersmeet::systems {

namespace {

using Code = std::vector<Instruction>;

// What a part of a program depends on.
enum Dependence : unsigned { on_x = 1, on_y = 2, on_z = 4, on_time = 8, on_more = 16 };

unsigned dependence_of(const exec::SourceInput& input) {
  using Kind = exec::SourceInput::Kind;
  if (input.kind == Kind::time || input.kind == Kind::step) return on_time;
  if (input.kind != Kind::place) return on_more;
  unsigned axes = 0;
  for (unsigned a = 0; a < 3; ++a) axes |= input.stride[a] != 0 ? 1u << a : 0u;
  return axes == on_x || axes == on_y || axes == on_z ? axes : unsigned{on_more};
}

// Goes through a program and calls replace(part, dependence) for the largest parts of more than one instruction that depend on one thing
// alone; it returns the instruction that takes the place of the part, or nothing.
template <class Replace>
Code with_parts_replaced(const Code& code, const std::vector<exec::SourceInput>& inputs,
                         const std::vector<std::shared_ptr<const config::Table>>& tables,
                         const Replace& replace) {
  struct Part {
    std::size_t begin;
    unsigned dependence;
  };
  Code out;
  std::vector<Part> stack;
  const auto close = [&](const Part& part, std::size_t end) {
    const bool alone = part.dependence == on_x || part.dependence == on_y ||
                       part.dependence == on_z || part.dependence == on_time;
    if (!alone || end - part.begin < 2) return;
    const auto first = out.begin() + static_cast<std::ptrdiff_t>(part.begin),
               last = out.begin() + static_cast<std::ptrdiff_t>(end);
    const std::optional<Instruction> instead = replace(Code(first, last), part.dependence);
    if (!instead) return;
    *first = *instead;
    out.erase(first + 1, last);
  };
  for (const Instruction& i : code) {
    const auto operands = static_cast<std::size_t>(config::operands_of(i, tables));
    Part whole{out.size(), i.operation == Operation::input
                               ? dependence_of(inputs[static_cast<std::size_t>(i.input)])
                               : 0u};
    for (std::size_t n = 0; n < operands; ++n) {
      whole.dependence |= stack[stack.size() - 1 - n].dependence;
      whole.begin = stack[stack.size() - 1 - n].begin;
    }
    const bool mixed = (whole.dependence & (whole.dependence - 1)) != 0;
    // The last operand first, so that those before it stay where they are.
    for (std::size_t n = 0, end = out.size(); n < operands; ++n) {
      if (mixed) close(stack.back(), end);
      end = stack.back().begin;
      stack.pop_back();
    }
    out.push_back(i);
    stack.push_back(whole);
  }
  close(stack.back(), out.size());
  return out;
}

}  // namespace

std::size_t UserSources::tables_in_a_row() const {
  std::vector<exec::SourceInput> inputs = terms_.inputs;
  for (exec::SourceInput& input : inputs)
    if (input.kind == exec::SourceInput::Kind::place) input.stride[0] = 1;
  std::size_t tables = 0;
  for (const exec::SourceProgram& program : terms_.programs) {
    const auto first = terms_.code.begin() + program.first;
    with_parts_replaced(Code(first, first + program.count), inputs, tables_,
                        [&](const Code&, unsigned dependence) -> std::optional<Instruction> {
                          if (dependence != on_time) ++tables;
                          return std::nullopt;
                        });
  }
  return tables;
}

void UserSources::separate_parts(std::vector<std::vector<double>>& values) {
  using Kind = exec::SourceInput::Kind;
  std::vector<TableView> views;
  for (const auto& table : tables_) views.push_back(table->view());
  const Code before = std::exchange(terms_.code, {});
  const auto keep = [&](const Code& code, int variable) {
    const exec::SourceProgram program{variable, static_cast<int>(terms_.code.size()),
                                      static_cast<int>(code.size())};
    terms_.code.insert(terms_.code.end(), code.begin(), code.end());
    return program;
  };
  const auto replace = [&](const Code& part, unsigned dependence) -> std::optional<Instruction> {
    exec::SourceInput input;
    std::vector<double> numbers;
    if (dependence == on_time) {
      if (terms_.scalars.size() == exec::most_source_scalars) return std::nullopt;
      input.kind = Kind::scalar;
      input.variable = static_cast<int>(terms_.scalars.size());
      terms_.scalars.push_back(keep(part, input.variable));
    } else {
      const auto of = std::find_if(part.begin(), part.end(), [](const Instruction& i) {
        return i.operation == Operation::input;
      });
      input = terms_.inputs[static_cast<std::size_t>(of->input)];
      numbers.resize(values[static_cast<std::size_t>(of->input)].size());
      for (std::size_t n = 0; n < numbers.size(); ++n) {
        double result[1];
        run_program<1>(
            part.data(), static_cast<int>(part.size()),
            [&](int from, double(&to)[1]) { to[0] = values[static_cast<std::size_t>(from)][n]; },
            result, views.data());
        numbers[n] = result[0];
      }
    }
    terms_.inputs.push_back(input);
    values.push_back(std::move(numbers));
    return Instruction{Operation::input, static_cast<int>(terms_.inputs.size()) - 1, 0};
  };
  for (exec::SourceProgram& program : terms_.programs) {
    const auto first = before.begin() + program.first;
    program = keep(
        with_parts_replaced(Code(first, first + program.count), terms_.inputs, tables_, replace),
        program.variable);
  }
}

}  // namespace watersmeet::systems

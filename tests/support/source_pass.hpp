#pragma once
// The pass of source terms on registers of any device, and what it should leave.

#include <cmath>
#include <string>
#include <vector>

#include "config/program.hpp"
#include "exec/clock_access.hpp"
#include "exec/source_terms.hpp"
#include "memory/copy_there.hpp"
#include "memory/rounded.hpp"

namespace watersmeet::test {

// Two variables u and v in a block with ghosts; sources of v alone. A table f of one argument.
struct SourcePass {
  Index3 n{37, 5, 4};
  Index3 first{3, 2, 1};  // of the launch in the part, whose x is 0.1 i, y is 0.2 j
  Precision precision = Precision::double_;
  exec::StageUpdate<double> update;
  exec::Clock clock;
  double fraction = 0.5;
  bool early = false;
  Box box{{1, 0, 1}, {36, 5, 3}};

  struct Result {
    std::vector<double> out, increment;  // of v
    exec::Clock clock;
  };

  static double start(int reg, int variable, std::size_t cell) {
    return std::sin(1.3 * double(cell) + reg + 10.0 * variable) + 1.5;
  }
  std::vector<double> start_of(int reg, int variable) const {
    std::vector<double> values(static_cast<std::size_t>(n[0] * n[1] * n[2]));
    for (std::size_t c = 0; c < values.size(); ++c) {
      values[c] = start(reg, variable, c);
      if (precision == Precision::single_) values[c] = double(float(values[c]));
    }
    return values;
  }

  Result run(const std::string& text, const Queue& queue) const {
    memory::State state({{n, {3, 3, 3}}}, 2, 3, precision, queue);
    for (int reg = 0; reg < 3; ++reg) {
      for (int v = 0; v < 2; ++v) memory::store_rounded(state, reg, v, start_of(reg, v), queue);
    }
    const std::vector<config::FieldName> names = {{"x"}, {"y"}, {"t"},
                                                  {"u"}, {"v"}, {"sum", 1, {"u + v"}}};
    config::Constants constants;
    constants.tables["f"] = std::make_shared<config::Table>(
        std::vector<config::Table::Axis>{{{0, 1, 3}, 0}}, std::vector<double>{2, 3, 7});
    std::vector<config::FieldInput> inputs;
    std::vector<std::shared_ptr<const config::Table>> tables;
    const auto code = config::compile_program(text, names, constants, inputs, &tables);
    std::vector<double> x, y;
    for (int i = 0; i < 160; ++i) x.push_back(0.1 * i), y.push_back(0.2 * i);
    const auto x_there = memory::copy_there(x, queue), y_there = memory::copy_there(y, queue);
    std::vector<exec::SourceInput> read;
    using Kind = exec::SourceInput::Kind;
    for (const config::FieldInput& input : inputs) {
      exec::SourceInput one;
      if (input.field < 2) {
        one.kind = Kind::place;
        one.values = (input.field == 0 ? x_there : y_there).as<double>();
        one.stride[input.field] = 1;
      } else if (input.field > 2) {
        one.kind = Kind::variable;
        one.variable = static_cast<int>(input.field) - 3;
      }
      read.push_back(one);
    }
    std::vector<memory::Buffer> numbers;
    std::vector<TableView> views;
    for (const auto& table : tables) {
      TableView view = table->view();
      const auto there = [&](const double* from, std::int64_t count) {
        numbers.push_back(memory::copy_there(std::vector<double>(from, from + count), queue));
        return numbers.back().as<double>();
      };
      view.values = there(view.values, view.axes[0].lines);
      view.axes[0].at = there(view.axes[0].at, view.axes[0].lines);
      views.push_back(view);
    }
    const std::vector<exec::SourceProgram> programs = {{1, 0, static_cast<int>(code.size())}};
    exec::SourceTerms terms;
    terms.precision = precision;
    terms.inputs = read;
    terms.code = code;
    terms.programs = programs;
    terms.tables = views;
    exec::compile_sources(terms, queue);
    memory::Buffer clock_there(memory::working_space(queue.backend), sizeof(exec::Clock));
    exec::write_clock(clock_there.as<exec::Clock>(), clock, queue);
    exec::Launch launch;
    launch.registers.layout = &state.layout(0);
    launch.registers.in = state.start(0);
    launch.registers.out = state.start(1);
    launch.registers.increment = state.start(2);
    launch.box = box;
    launch.update = update;
    launch.clock = clock_there.as<exec::Clock>();
    launch.queue = queue;
    (early ? exec::add_sources_early : exec::add_sources)(terms, launch, first, fraction);
    synchronize(queue);
    const Box all{{0, 0, 0}, n};
    for (int reg = 0; reg < 3; ++reg)  // nothing else changes
      if (memory::box_as_doubles(state, reg, 0, all, queue) != start_of(reg, 0)) return {};
    if (memory::box_as_doubles(state, 0, 1, all, queue) != start_of(0, 1)) return {};
    return {memory::box_as_doubles(state, 1, 1, all, queue),
            memory::box_as_doubles(state, 2, 1, all, queue),
            exec::read_clock(clock_there.as<exec::Clock>(), queue)};
  }
};

}  // namespace watersmeet::test

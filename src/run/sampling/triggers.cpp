#include "run/sampling/triggers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "comm/exact_reduction.hpp"
#include "exec/reduce_program.hpp"
#include "memory/copy_there.hpp"

namespace watersmeet::run {
namespace {

std::string key_of(const TriggerCase& one, const char* what) {
  return fmt::format("trigger.{}.{}", one.name, what);
}

bool is_sum(const FieldReduction& reduction) {
  return reduction.kind == ReductionKind::sum || reduction.kind == ReductionKind::mean;
}

}  // namespace

Triggers::Triggers(Engine& engine)
    : engine_(engine),
      queue_(engine.queue_of_fields()),
      cases_(triggers_of(engine.input(), engine.system())),
      memory_(cases_.cases.size()) {
  comm::agree(engine.team().communicator(), [this] {
    fields_.emplace(engine_, cases_.fields, queue_);
    for (const FieldReduction& reduction : cases_.reductions)
      programs_.push_back(memory::copy_there(reduction.program, queue_));
  });
}

double Triggers::next_time(double t) const {
  double next = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < memory_.size(); ++i) {
    if (!is_over(i)) next = std::min(next, cases_.cases[i].schedule.next_time(t));
  }
  return next;
}

std::int64_t Triggers::next_step(std::int64_t step) const {
  std::int64_t next = std::numeric_limits<std::int64_t>::max();
  for (std::size_t i = 0; i < memory_.size(); ++i) {
    if (!is_over(i)) next = std::min(next, cases_.cases[i].schedule.next_step(step));
  }
  return next;
}

std::vector<const TriggerCase*> Triggers::evaluate(
    const std::function<std::vector<double>()>& series, const Probes& probes) {
  const exec::Clock& clock = engine_.clock();
  std::vector<std::size_t> due;
  std::vector<bool> wanted(cases_.reductions.size(), false);
  bool needs_series = false, needs_probes = false;
  for (std::size_t i = 0; i < memory_.size(); ++i) {
    const TriggerCase& one = cases_.cases[i];
    if (is_over(i) || !one.schedule.due(clock.t, clock.step)) continue;
    due.push_back(i);
    for (const std::size_t r : one.reductions) wanted[r] = true;
    needs_series = needs_series || one.needs_series;
    needs_probes = needs_probes || one.needs_probes;
  }
  if (due.empty()) return {};
  // Values that no due condition names are not computed.
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> row = {clock.t, static_cast<double>(clock.step), clock.dt};
  const auto append = [&](bool needed, std::size_t count, const auto& ask) {
    const std::vector<double> values = needed ? ask() : std::vector<double>(count, unknown);
    row.insert(row.end(), values.begin(), values.end());
  };
  append(needs_series, engine_.system().series_columns().size(), series);
  append(needs_probes, probes.columns().size(), [&] { return probes.values(engine_); });
  const std::vector<double> reduced = reduce(wanted);
  std::vector<const TriggerCase*> acting;
  for (const std::size_t i : due) {
    TriggerCase& one = cases_.cases[i];
    std::vector<const double*> columns;
    for (const std::size_t place : cases_.places) columns.push_back(&row[place]);
    for (const std::size_t r : one.reductions) columns.push_back(&reduced[r]);
    double result = 0;
    one.condition.evaluate_row(1, columns.data(), &result);
    const bool holds = result != 0 && !std::isnan(result);
    const bool held = std::exchange(memory_[i].held, holds);
    if (!holds || (one.mode == TriggerMode::edge && held)) continue;
    memory_[i].acted = true;
    acting.push_back(&one);
  }
  return acting;
}

// Each number is the same on all ranks: sums are exact (comm/exact_reduction.hpp).
std::vector<double> Triggers::reduce(const std::vector<bool>& wanted) {
  std::vector<std::size_t> sums, extrema;
  std::vector<bool> needed(cases_.fields.quantities.size(), false);
  for (std::size_t r = 0; r < wanted.size(); ++r) {
    if (!wanted[r]) continue;
    (is_sum(cases_.reductions[r]) ? sums : extrema).push_back(r);
    for (const Instruction& instruction : cases_.reductions[r].program) {
      if (instruction.operation == Operation::input)
        needed[cases_.fields.inputs[static_cast<std::size_t>(instruction.input)].field] = true;
    }
  }
  std::vector<double> reduced(wanted.size(), 0);
  if (sums.empty() && extrema.empty()) return reduced;
  for (std::size_t q = 0; q < needed.size(); ++q) {
    if (needed[q]) fields_->evaluate(q);
  }
  const Queue& queue = queue_;
  const std::int64_t mine = engine_.share(nullptr).mine.count();
  const auto cells = [&](std::size_t r) {
    return exec::ProgramCells{mine, engine_.system().precision(), fields_->inputs(),
                              programs_[r].as<Instruction>(),
                              static_cast<int>(cases_.reductions[r].program.size())};
  };
  const double all = engine_.points();
  std::vector<double> results(sums.size() + extrema.size());
  comm::reduce_exactly(
      engine_.team().communicator(), static_cast<int>(sums.size()),
      static_cast<int>(extrema.size()), static_cast<std::int64_t>(all),
      [&](double* largest) {
        for (std::size_t s = 0; s < sums.size(); ++s)
          largest[s] = exec::measure_program(cells(sums[s]), queue).magnitude;
        for (std::size_t m = 0; m < extrema.size(); ++m) {
          const exec::ProgramExtrema found = exec::measure_program(cells(extrema[m]), queue);
          largest[sums.size() + m] = cases_.reductions[extrema[m]].kind == ReductionKind::max
                                         ? found.upper
                                         : found.minus_lower;
        }
      },
      [&](const exec::SumScale* scales, std::int64_t* high_low) {
        for (std::size_t s = 0; s < sums.size(); ++s)
          exec::count_program(cells(sums[s]), scales[s], high_low + 2 * s, queue);
      },
      results.data());
  for (std::size_t s = 0; s < sums.size(); ++s)
    reduced[sums[s]] =
        cases_.reductions[sums[s]].kind == ReductionKind::mean ? results[s] / all : results[s];
  for (std::size_t m = 0; m < extrema.size(); ++m) {
    const double found = results[sums.size() + m];
    reduced[extrema[m]] = cases_.reductions[extrema[m]].kind == ReductionKind::max ? found : -found;
  }
  return reduced;
}

void Triggers::add_to(io::Checkpoint& checkpoint) const {
  for (std::size_t i = 0; i < memory_.size(); ++i) {
    const TriggerCase& one = cases_.cases[i];
    checkpoint.texts[key_of(one, "definition")] = one.definition();
    checkpoint.integers[key_of(one, "held")] = memory_[i].held;
    checkpoint.integers[key_of(one, "acted")] = memory_[i].acted;
  }
}

std::vector<std::string> Triggers::restore(const io::CheckpointReader& reader) {
  std::vector<std::string> anew;
  for (std::size_t i = 0; i < memory_.size(); ++i) {
    const TriggerCase& one = cases_.cases[i];
    const auto definition = reader.texts().find(key_of(one, "definition"));
    if (definition == reader.texts().end() || definition->second != one.definition()) {
      anew.push_back(one.name);
      continue;
    }
    memory_[i] = {reader.integer(key_of(one, "held")) != 0,
                  reader.integer(key_of(one, "acted")) != 0};
  }
  return anew;
}

}  // namespace watersmeet::run

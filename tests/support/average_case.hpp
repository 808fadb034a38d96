#pragma once
// Samples of a wave that travels over a row of cells, and the sums in time of them, on any device.

#include <cmath>
#include <vector>

#include "config/program.hpp"
#include "exec/average.hpp"
#include "memory/copy_there.hpp"

namespace watersmeet::test {

// u = offset + A sin(x - t) and v = A sin(x - t + 1), packed, in the precision of a run. Means of u, v and u v; variances of u and v, and their
// covariance.
class WaveSums {
 public:
  static constexpr double amplitude = 0.5, phase = 1;

  WaveSums(std::int64_t cells, Precision precision, double offset, const Queue& queue)
      : cells_(cells),
        precision_(precision),
        offset_(offset),
        queue_(queue),
        packed_(memory::working_space(queue.backend), bytes()),
        means_(memory::working_space(queue.backend), 3 * cell_bytes()),
        moments_(memory::working_space(queue.backend), 3 * cell_bytes()),
        record_(memory::working_space(queue.backend), sizeof(exec::AverageRecord)),
        clock_(memory::working_space(queue.backend), sizeof(exec::Clock)) {
    std::vector<config::FieldInput> inputs;
    std::vector<Instruction> code;
    std::vector<exec::AverageProgram> programs;
    for (const char* const text : {"velocity.x", "velocity.y", "velocity.x*velocity.y"}) {
      const auto one = config::compile_program(text, {{"velocity", 3}}, {}, inputs);
      programs.push_back({static_cast<int>(code.size()), static_cast<int>(one.size())});
      code.insert(code.end(), one.begin(), one.end());
    }
    std::vector<exec::ProgramInput> from;
    for (const config::FieldInput& input : inputs)
      from.push_back({packed_.start(), 3, input.component});
    inputs_ = memory::copy_there(from, queue_);
    code_ = memory::copy_there(code, queue_);
    programs_ = memory::copy_there(programs, queue_);
    pairs_ = memory::copy_there(std::vector<exec::AveragePair>{{0, 0}, {1, 1}, {0, 1}}, queue_);
    fill_bytes(means_.start(), 0, means_.bytes(), queue_);
    fill_bytes(moments_.start(), 0, moments_.bytes(), queue_);
    const exec::AverageRecord fresh;
    copy_bytes(record_.start(), &fresh, sizeof fresh, queue_);
    synchronize(queue_);
  }

  // The state at t, from which a step of dt begins, or after which none does (dt = 0).
  void sample(double t, double dt, exec::Weighing kind = exec::Weighing::sample,
              bool active = true) {
    std::vector<double> values(static_cast<std::size_t>(3 * cells_));
    for (std::int64_t c = 0; c < cells_; ++c) {
      const double x = 2 * M_PI * static_cast<double>(c) / static_cast<double>(cells_);
      values[static_cast<std::size_t>(3 * c)] = offset_ + amplitude * std::sin(x - t);
      values[static_cast<std::size_t>(3 * c + 1)] = amplitude * std::sin(x - t + phase);
    }
    const std::vector<float> rounded(values.begin(), values.end());
    copy_bytes(
        packed_.start(),
        precision_ == Precision::double_ ? static_cast<const void*>(values.data()) : rounded.data(),
        bytes(), queue_);
    exec::Clock clock;
    clock.dt = dt;
    clock.active = active;
    copy_bytes(clock_.start(), &clock, sizeof clock, queue_);
    exec::weigh(kind, clock_.as<exec::Clock>(), record_.as<exec::AverageRecord>(), queue_);
    exec::AverageSums sums;
    sums.cells = cells_;
    sums.precision = precision_;
    sums.inputs = inputs_.as<exec::ProgramInput>();
    sums.code = code_.as<Instruction>();
    sums.programs = programs_.as<exec::AverageProgram>();
    sums.expressions = 3;
    sums.pairs = pairs_.as<exec::AveragePair>();
    sums.n_pairs = 3;
    sums.means = means_.as<double>();
    sums.moments = moments_.as<double>();
    if (kind != exec::Weighing::pass)
      exec::add_sample(sums, record_.as<exec::AverageRecord>(), queue_);
    synchronize(queue_);
  }

  exec::AverageRecord record() const {
    exec::AverageRecord record;
    copy_bytes(&record, record_.start(), sizeof record, queue_);
    synchronize(queue_);
    return record;
  }
  std::vector<double> mean(std::size_t expression) const { return numbers(means_, expression, 1); }
  std::vector<double> moment(std::size_t pair) const {
    return numbers(moments_, pair, record().total);
  }

 private:
  std::size_t bytes() const { return static_cast<std::size_t>(3 * cells_) * size_of(precision_); }
  std::size_t cell_bytes() const { return static_cast<std::size_t>(cells_) * sizeof(double); }
  std::vector<double> numbers(const memory::Buffer& from, std::size_t which, double over) const {
    std::vector<double> values(static_cast<std::size_t>(cells_));
    copy_bytes(values.data(), from.as<char>() + which * cell_bytes(), cell_bytes(), queue_);
    synchronize(queue_);
    for (double& value : values) value /= over;
    return values;
  }

  std::int64_t cells_;
  Precision precision_;
  double offset_;
  Queue queue_;
  memory::Buffer packed_, means_, moments_, record_, clock_, inputs_, code_, programs_, pairs_;
};

}  // namespace watersmeet::test

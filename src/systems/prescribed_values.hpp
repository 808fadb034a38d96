#pragma once
// What is prescribed at places of a grid, for instance on its sides: expressions of x, y, z, r and t evaluated on
// the host, and tables of their values where the kernels run. Those that depend on time are made anew for every
// stage: only then does the host wait for t and dt of a step.

#include <span>
#include <string>
#include <vector>

#include "config/expression.hpp"
#include "memory/buffer.hpp"
#include "systems/stage_times.hpp"

namespace watersmeet::systems {

// Coordinates, and r = sqrt(x^2 + y^2 + z^2).
struct Places {
  std::vector<double> x, y, z, r;
  void add(const Real3& at);
  std::size_t size() const { return x.size(); }
};
const std::vector<std::string>& place_variables();  // x, y, z, r, t

// out[n] = value of an expression of place_variables() at place n and time t; by several threads.
void evaluate_at(const config::Expression& expression, const Places& places, double t, int threads,
                 double* out);

// Numbers in the precision of a run where the kernels run.
class NumberTable {
 public:
  NumberTable() = default;
  // rewritten: written more than once, and then without waiting for the copy before.
  NumberTable(std::size_t numbers, bool rewritten, Precision precision, const Queue& queue);
  void* start() const { return buffer_.start(); }
  // As many as the table has; they are there for what follows in the queue.
  void write(std::span<const double> numbers, const Queue& queue);

 private:
  struct Staging {  // a host copy on its way
    memory::Buffer buffer;
    Event copied;
  };
  Precision precision_ = Precision::double_;
  memory::Buffer buffer_;
  std::vector<Staging> staging_;
  std::size_t next_ = 0;
};

// The times at which Tables are made, which has set_time(t, queue) and depends_on_time().
template <class Tables>
class TimedTables {
 public:
  // Before the stages of a step that the clock has opened.
  void begin_step(const exec::Clock* clock, const Queue& queue) {
    if (tables().depends_on_time()) times_.begin_step(clock, queue);
  }
  // For the time t + fraction dt of that step.
  void set_stage(double fraction, const Queue& queue) {
    if (tables().depends_on_time()) tables().set_time(times_.at(fraction), queue);
  }
  // For the solution between two steps, where the clock is then.
  void set_now(const exec::Clock* clock, const Queue& queue) {
    if (tables().depends_on_time()) tables().set_time(solution_time(clock, queue), queue);
  }

 private:
  Tables& tables() { return static_cast<Tables&>(*this); }
  StageTimes times_;
};

}  // namespace watersmeet::systems

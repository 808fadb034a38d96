#pragma once
// The averages in time of a run: their sums on the device, of a streamed solution in host memory, their windows, what a checkpoint keeps of them, and their results. The
// driver writes the results (driver_output.cpp).

#include <optional>
#include <string>
#include <vector>

#include "exec/average.hpp"
#include "memory/buffer.hpp"
#include "run/engine.hpp"
#include "run/sampling/average_case.hpp"
#include "run/sampling/packed_fields.hpp"
#include "run/sampling/schedule.hpp"

namespace watersmeet::run {

// Results of a window, of this rank's part of the grid.
struct AverageResult {
  double begin = 0;   // time
  double weight = 0;  // length of the window that is averaged over
  std::int64_t samples = 0;
  std::vector<std::vector<double>> means,
      moments;  // [expression or pair][cell]; moments over their weight
  // The values of a field of the results, [cell][component].
  std::vector<double> values(const AverageTerm& term) const;
};

// Means over the planes across an axis, the same on all ranks: [plane][number of all components of all terms]. A second moment is about the
// mean over time and plane: the mean over the plane of those in the cells, and that of the products of the deviations of the cells' means.
struct AverageProfile {
  std::vector<double> at;  // coordinates of the planes
  std::vector<double> values;
};

class Averages : public StateSampler {
 public:
  // Allocates on the device; collective; Error{resource}.
  explicit Averages(Engine& engine);
  ~Averages() override;

  const std::vector<AverageCase>& cases() const { return cases_.cases; }
  // The next time at which a window begins or ends.
  double next_time(double t) const;

  // StateSampler
  bool wants(std::int64_t step) override;
  void take() override;
  void step_begun(std::int64_t step, const exec::Clock* clock) override;

  // Between steps; collective. Opens what is due to begin and not open.
  void begin_windows(const exec::Clock& clock);
  // Whether the window of a case ends here, by its interval.
  bool window_ends(std::size_t number, const exec::Clock& clock) const;
  // Whether a window is open, and a step was taken in it.
  bool has_samples(std::size_t number, const exec::Clock& clock) const {
    return sums_[number].open && clock.step > sums_[number].first_step;
  }
  // The results up to here. The window is closed: its sums are no longer those that a run continues.
  AverageResult close(std::size_t number, const exec::Clock& clock);
  // The same of copies of the sums: the window stays open.
  AverageResult so_far(std::size_t number, const exec::Clock& clock);
  // Closes the window; its sums are lost.
  void drop(std::size_t number) { sums_[number].open = false; }
  AverageProfile profile(std::size_t number, const AverageResult& result) const;

  // Adds what a checkpoint keeps; arrays are in `storage`.
  void add_to(io::Checkpoint& checkpoint, std::vector<std::vector<char>>& storage) const;
  // Goes on with the sums of a checkpoint; those it does not have are forgotten, begin when they are due, and are named in the result. Error{user_input}
  // where it has sums of this name that were made of something else.
  std::vector<std::string> restore(io::CheckpointReader& reader);

 private:
  // The sums of one average of the case.
  struct Sums {
    bool open = false;
    double begin = 0;
    std::int64_t first_step = 0;
    Schedule schedule;
    memory::Buffer record, means, moments, code, programs, pairs;
  };
  void allocate();
  exec::AverageRecord read_record(const Sums& sums) const;
  bool samples_at(std::size_t number, std::int64_t step) const;
  void open(std::size_t number, const exec::Clock& clock);
  std::vector<double> plane_means(int axis, const std::vector<const double*>& fields) const;
  exec::AverageSums launch_of(std::size_t number) const;

  Engine& engine_;
  Queue queue_;  // of the sums
  AverageCases cases_;
  std::int64_t cells_ = 0;
  std::optional<PackedFields> fields_;
  std::vector<Sums> sums_;
};

// Components of the terms of a case, in order: names of the columns of a profile, and their dimensions.
std::vector<std::pair<std::string, std::string>> profile_columns_of(const AverageCase& one);

}  // namespace watersmeet::run

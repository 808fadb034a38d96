#include "run/sampling/averages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "comm/exact_reduction.hpp"
#include "core/error.hpp"
#include "io/checkpoint.hpp"
#include "memory/copy_there.hpp"

namespace watersmeet::run {
namespace {

// Widths of the cells along an axis over their mean.
std::vector<double> widths_along(const mesh::GridDescription& grid, std::size_t axis) {
  const auto n = static_cast<std::size_t>(grid.n()[axis]);
  const std::vector<double>& faces = grid.faces[axis];
  std::vector<double> widths(n, 1.0);
  for (std::size_t i = 0; i < n && !faces.empty(); ++i)
    widths[i] = (faces[i + 1] - faces[i]) * static_cast<double>(n) / (faces[n] - faces[0]);
  return widths;
}

std::string key_of(const AverageCase& one, const char* what) {
  return fmt::format("average.{}.{}", one.name, what);
}
std::string array_of(const AverageCase& one, const char* what, std::size_t number) {
  return fmt::format("average.{}.{}.{}", one.name, what, number);
}

}  // namespace

Averages::Averages(Engine& engine)
    : engine_(engine),
      queue_(engine.queue_of_fields()),
      cases_(averages_of(engine.input(), engine.system())) {
  cells_ = engine.share(nullptr).mine.count();
  comm::agree(engine.team().communicator(), [this] { allocate(); });
  if (!sums_.empty()) engine_.set_sampler(this);
}

void Averages::allocate() {
  const Queue& queue = queue_;
  const MemorySpace space = memory::working_space(queue.backend);
  fields_.emplace(engine_, cases_.fields, queue);
  const auto bytes = static_cast<std::size_t>(cells_) * sizeof(double);
  for (const AverageCase& one : cases_.cases) {
    Sums sums;
    sums.schedule.every = one.every;
    sums.schedule.first = one.from;
    std::vector<Instruction> code;
    std::vector<exec::AverageProgram> programs;
    for (const std::vector<Instruction>& program : one.programs) {
      programs.push_back({static_cast<int>(code.size()), static_cast<int>(program.size())});
      code.insert(code.end(), program.begin(), program.end());
    }
    std::vector<exec::AveragePair> pairs;
    for (const auto& [a, b] : one.pairs) pairs.push_back({a, b});
    sums.code = memory::copy_there(code, queue);
    sums.programs = memory::copy_there(programs, queue);
    sums.pairs = memory::copy_there(pairs, queue);
    sums.record = memory::Buffer(space, sizeof(exec::AverageRecord));
    sums.means = memory::Buffer(space, one.expressions.size() * bytes);
    sums.moments = memory::Buffer(space, one.pairs.size() * bytes);
    sums_.push_back(std::move(sums));
  }
}

Averages::~Averages() { engine_.set_sampler(nullptr); }

double Averages::next_time(double t) const {
  double next = std::numeric_limits<double>::infinity();
  for (std::size_t a = 0; a < sums_.size(); ++a) {
    // The beginning of a window that has no end of its own.
    if (cases_.cases[a].every > 0) {
      next = std::min(next, sums_[a].schedule.next_time(t));
    } else if (!sums_[a].open && cases_.cases[a].from > t) {
      next = std::min(next, cases_.cases[a].from);
    }
  }
  return next;
}

bool Averages::samples_at(std::size_t number, std::int64_t step) const {
  const Sums& sums = sums_[number];
  return sums.open && (step - sums.first_step) % cases_.cases[number].sample_every_steps == 0;
}

bool Averages::wants(std::int64_t step) {
  for (std::size_t a = 0; a < sums_.size(); ++a) {
    if (samples_at(a, step)) return true;
  }
  return false;
}

void Averages::take() {
  for (std::size_t q = 0; q < cases_.fields.quantities.size(); ++q) fields_->evaluate(q);
}

exec::AverageSums Averages::launch_of(std::size_t number) const {
  const Sums& sums = sums_[number];
  const AverageCase& one = cases_.cases[number];
  exec::AverageSums launch;
  launch.cells = cells_;
  launch.precision = engine_.system().precision();
  launch.inputs = fields_->inputs();
  launch.code = sums.code.as<Instruction>();
  launch.programs = sums.programs.as<exec::AverageProgram>();
  launch.expressions = static_cast<int>(one.expressions.size());
  launch.pairs = sums.pairs.as<exec::AveragePair>();
  launch.n_pairs = static_cast<int>(one.pairs.size());
  launch.means = sums.means.as<double>();
  launch.moments = sums.moments.as<double>();
  return launch;
}

void Averages::step_begun(std::int64_t step, const exec::Clock* clock) {
  const Queue& queue = queue_;
  for (std::size_t a = 0; a < sums_.size(); ++a) {
    if (!sums_[a].open) continue;
    const bool sample = samples_at(a, step);
    auto* const record = sums_[a].record.as<exec::AverageRecord>();
    exec::weigh(sample ? exec::Weighing::sample : exec::Weighing::pass, clock, record, queue);
    if (sample) exec::add_sample(launch_of(a), record, queue);
  }
}

void Averages::open(std::size_t number, const exec::Clock& clock) {
  Sums& sums = sums_[number];
  const Queue& queue = queue_;
  sums.open = true;
  sums.begin = clock.t;
  sums.first_step = clock.step;
  const exec::AverageRecord fresh;
  copy_bytes(sums.record.start(), &fresh, sizeof fresh, queue);
  for (memory::Buffer* const buffer : {&sums.means, &sums.moments}) {
    if (buffer->bytes() > 0) fill_bytes(buffer->start(), 0, buffer->bytes(), queue);
  }
  synchronize(queue);
}

void Averages::begin_windows(const exec::Clock& clock) {
  for (std::size_t a = 0; a < sums_.size(); ++a) {
    const double from = cases_.cases[a].from;
    const bool reached = clock.t >= from - 1e-9 * std::max(1.0, std::abs(from));
    if (!sums_[a].open && reached) open(a, clock);
  }
}

bool Averages::window_ends(std::size_t number, const exec::Clock& clock) const {
  const Sums& sums = sums_[number];
  return has_samples(number, clock) && cases_.cases[number].every > 0 &&
         sums.schedule.due(clock.t, clock.step);
}

exec::AverageRecord Averages::read_record(const Sums& sums) const {
  exec::AverageRecord record;
  copy_bytes(&record, sums.record.start(), sizeof record, queue_);
  synchronize(queue_);
  return record;
}

AverageResult Averages::close(std::size_t number, const exec::Clock& clock) {
  Sums& sums = sums_[number];
  const Queue& queue = queue_;
  if (samples_at(number, clock.step)) {
    take();
    auto* const record = sums.record.as<exec::AverageRecord>();
    exec::weigh(exec::Weighing::close, nullptr, record, queue);
    exec::add_sample(launch_of(number), record, queue);
  }
  sums.open = false;
  const exec::AverageRecord record = read_record(sums);
  AverageResult result{sums.begin, record.total, record.samples, {}, {}};
  const AverageCase& one = cases_.cases[number];
  const auto cells = static_cast<std::size_t>(cells_);
  const auto read = [&](const memory::Buffer& from, std::size_t count) {
    std::vector<std::vector<double>> all(count, std::vector<double>(cells));
    for (std::size_t e = 0; e < count; ++e)
      copy_bytes(all[e].data(), from.as<double>() + e * cells, cells * sizeof(double), queue);
    synchronize(queue);
    return all;
  };
  result.means = read(sums.means, one.expressions.size());
  result.moments = read(sums.moments, one.pairs.size());
  for (std::vector<double>& moment : result.moments) {
    for (double& value : moment) value /= record.total;
  }
  return result;
}

AverageResult Averages::so_far(std::size_t number, const exec::Clock& clock) {
  Sums& sums = sums_[number];
  const Queue& queue = queue_;
  std::vector<memory::Buffer> kept;
  for (const memory::Buffer* const buffer : {&sums.record, &sums.means, &sums.moments}) {
    kept.emplace_back(memory::working_space(queue.backend), buffer->bytes());
    if (buffer->bytes() > 0)
      copy_bytes(kept.back().start(), buffer->start(), buffer->bytes(), queue);
  }
  AverageResult result = close(number, clock);
  sums.record = std::move(kept[0]);
  sums.means = std::move(kept[1]);
  sums.moments = std::move(kept[2]);
  sums.open = true;
  return result;
}

std::vector<double> AverageResult::values(const AverageTerm& term) const {
  const std::vector<std::vector<double>>& from = term.moment ? moments : means;
  const std::size_t components = term.sums.size();
  std::vector<double> all(components * from[static_cast<std::size_t>(term.sums[0])].size());
  for (std::size_t c = 0; c < components; ++c) {
    const std::vector<double>& one = from[static_cast<std::size_t>(term.sums[c])];
    for (std::size_t i = 0; i < one.size(); ++i) all[i * components + c] = one[i];
  }
  return all;
}

// Weighted with the areas of the cells' faces across the axis; exact sums, so that the parts of the grid change no bit.
std::vector<double> Averages::plane_means(int axis,
                                          const std::vector<const double*>& fields) const {
  const mesh::GridDescription& grid = engine_.system().grid();
  const Box mine = engine_.share(nullptr).mine;
  const Index3 n = grid.n();
  const auto a = static_cast<std::size_t>(axis);
  std::array<std::vector<double>, 3> widths;
  for (std::size_t d = 0; d < 3; ++d)
    widths[d] =
        d == a ? std::vector<double>(static_cast<std::size_t>(n[d]), 1.0) : widths_along(grid, d);
  const std::size_t count = fields.size(), planes = static_cast<std::size_t>(n[a]);
  const auto each = [&](const auto& visit) {
    std::size_t cell = 0;
    Index3 at{};
    for (at[2] = mine.lower[2]; at[2] < mine.upper[2]; ++at[2]) {
      for (at[1] = mine.lower[1]; at[1] < mine.upper[1]; ++at[1]) {
        for (at[0] = mine.lower[0]; at[0] < mine.upper[0]; ++at[0], ++cell) {
          double weight = 1;
          for (std::size_t d = 0; d < 3; ++d) weight *= widths[d][static_cast<std::size_t>(at[d])];
          const std::size_t first = static_cast<std::size_t>(at[a]) * count;
          for (std::size_t f = 0; f < count; ++f) visit(first + f, weight * fields[f][cell]);
        }
      }
    }
  };
  const std::int64_t of_plane = n[0] * n[1] * n[2] / n[a];
  std::vector<double> sums(planes * count);
  comm::reduce_exactly(
      engine_.team().communicator(), static_cast<int>(sums.size()), 0, of_plane,
      [&](double* largest) {
        each([&](std::size_t sum, double value) {
          const double size = std::abs(value);
          if (!(size <= largest[sum])) largest[sum] = size;
        });
      },
      [&](const exec::SumScale* scales, std::int64_t* high_low) {
        each([&](std::size_t sum, double value) {
          const exec::MagicCount c = exec::count_with_magic(scales[sum], value);
          exec::add_modulo(high_low[2 * sum], c.high - exec::round_magic_bits);
          exec::add_modulo(high_low[2 * sum + 1], c.low - exec::round_magic_bits);
        });
      },
      sums.data());
  for (double& sum : sums) sum /= static_cast<double>(of_plane);
  return sums;
}

AverageProfile Averages::profile(std::size_t number, const AverageResult& result) const {
  const AverageCase& one = cases_.cases[number];
  const auto axis = static_cast<std::size_t>(one.profile_axis);
  const Box mine = engine_.share(nullptr).mine;
  const std::size_t expressions = one.expressions.size(), n_pairs = one.pairs.size();
  std::vector<const double*> fields;
  for (const std::vector<double>& mean : result.means) fields.push_back(mean.data());
  const std::vector<double> means = plane_means(one.profile_axis, fields);
  // In each cell the moment about the mean of its plane.
  std::vector<std::vector<double>> moments = result.moments;
  fields.clear();
  for (std::size_t p = 0; p < n_pairs; ++p) {
    const auto a = static_cast<std::size_t>(one.pairs[p].first),
               b = static_cast<std::size_t>(one.pairs[p].second);
    std::size_t cell = 0;
    Index3 at{};
    for (at[2] = mine.lower[2]; at[2] < mine.upper[2]; ++at[2]) {
      for (at[1] = mine.lower[1]; at[1] < mine.upper[1]; ++at[1]) {
        for (at[0] = mine.lower[0]; at[0] < mine.upper[0]; ++at[0], ++cell) {
          const double* const of_plane =
              means.data() + static_cast<std::size_t>(at[axis]) * expressions;
          moments[p][cell] +=
              (result.means[a][cell] - of_plane[a]) * (result.means[b][cell] - of_plane[b]);
        }
      }
    }
    fields.push_back(moments[p].data());
  }
  const std::vector<double> of_pairs = plane_means(one.profile_axis, fields);
  AverageProfile profile;
  const mesh::GridDescription& grid = engine_.system().grid();
  const std::vector<double>& faces = grid.faces[axis];
  const auto planes = static_cast<std::size_t>(grid.n()[axis]);
  for (std::size_t k = 0; k < planes; ++k) {
    Index3 cell{};
    cell[axis] = static_cast<std::int64_t>(k);
    profile.at.push_back(faces.empty() ? grid.geometry().position(cell, Location::cell)[axis]
                                       : 0.5 * (faces[k] + faces[k + 1]));
    for (const AverageTerm& term : one.terms) {
      for (const int sum : term.sums) {
        const auto s = static_cast<std::size_t>(sum);
        profile.values.push_back(term.moment ? of_pairs[k * n_pairs + s]
                                             : means[k * expressions + s]);
      }
    }
  }
  return profile;
}

void Averages::add_to(io::Checkpoint& checkpoint, std::vector<std::vector<char>>& storage) const {
  const auto bytes = static_cast<std::size_t>(cells_) * sizeof(double);
  for (std::size_t a = 0; a < sums_.size(); ++a) {
    const Sums& sums = sums_[a];
    const AverageCase& one = cases_.cases[a];
    checkpoint.integers[key_of(one, "open")] = sums.open;
    checkpoint.texts[key_of(one, "definition")] = one.definition();
    if (!sums.open) continue;
    const exec::AverageRecord record = read_record(sums);
    checkpoint.reals[key_of(one, "begin")] = sums.begin;
    checkpoint.reals[key_of(one, "total")] = record.total;
    checkpoint.reals[key_of(one, "pending")] = record.pending;
    checkpoint.integers[key_of(one, "samples")] = record.samples;
    checkpoint.integers[key_of(one, "first_step")] = sums.first_step;
    const auto keep = [&](const char* what, const memory::Buffer& from, std::size_t count) {
      for (std::size_t e = 0; e < count; ++e) {
        storage.emplace_back(bytes);
        copy_bytes(storage.back().data(), from.as<char>() + e * bytes, bytes, queue_);
        checkpoint.arrays.push_back({array_of(one, what, e), Precision::double_,
                                     storage.back().data(), /*any_value=*/true});
      }
    };
    keep("mean", sums.means, one.expressions.size());
    keep("moment", sums.moments, one.pairs.size());
  }
  synchronize(queue_);
}

std::vector<std::string> Averages::restore(io::CheckpointReader& reader) {
  const Queue& queue = queue_;
  std::vector<std::string> absent;
  std::vector<double> values(static_cast<std::size_t>(cells_));
  for (std::size_t a = 0; a < sums_.size(); ++a) {
    Sums& sums = sums_[a];
    const AverageCase& one = cases_.cases[a];
    sums.open = false;
    const auto definition = reader.texts().find(key_of(one, "definition"));
    if (definition == reader.texts().end()) {
      absent.push_back(one.name);
      continue;
    }
    if (definition->second != one.definition()) {
      throw Error(
          ErrorKind::user_input,
          fmt::format("{} has sums of the average `{}` that were made otherwise than the case now "
                      "says, and cannot be gone on with\n  there: {}\n  now:   {}\n"
                      "Leave its keys as they were, or give the new average another name",
                      reader.path(), one.name, definition->second, one.definition()));
    }
    sums.open = reader.integer(key_of(one, "open")) != 0;
    if (!sums.open) continue;
    sums.begin = reader.real(key_of(one, "begin"));
    sums.first_step = reader.integer(key_of(one, "first_step"));
    exec::AverageRecord record;
    record.total = reader.real(key_of(one, "total"));
    record.pending = reader.real(key_of(one, "pending"));
    record.samples = reader.integer(key_of(one, "samples"));
    copy_bytes(sums.record.start(), &record, sizeof record, queue);
    const auto take_back = [&](const char* what, const memory::Buffer& to, std::size_t count) {
      for (std::size_t e = 0; e < count; ++e) {
        reader.read(array_of(one, what, e), Precision::double_, values.data(),
                    engine_.share(&engine_.team().communicator()));
        copy_bytes(to.as<double>() + e * values.size(), values.data(),
                   values.size() * sizeof(double), queue);
        synchronize(queue);
      }
    };
    take_back("mean", sums.means, one.expressions.size());
    take_back("moment", sums.moments, one.pairs.size());
  }
  return absent;
}

std::vector<std::pair<std::string, std::string>> profile_columns_of(const AverageCase& one) {
  std::vector<std::pair<std::string, std::string>> columns;
  for (const AverageTerm& term : one.terms) {
    for (std::size_t c = 0; c < term.sums.size(); ++c) {
      columns.emplace_back(
          term.sums.size() == 1 ? term.name : fmt::format("{}_{}", term.name, "xyz"[c]),
          term.units);
    }
  }
  return columns;
}

}  // namespace watersmeet::run

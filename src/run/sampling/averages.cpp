#include "run/sampling/averages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/error.hpp"
#include "io/checkpoint.hpp"
#include "memory/copy_there.hpp"

namespace watersmeet::run {
namespace {

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
          fmt::format("{} has sums of the average `{}` with another definition than that of the "
                      "case; they cannot be continued\n  there: {}\n  now:   {}\n"
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

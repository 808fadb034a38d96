// The steps of a run, its progress, and its end.
#include "run/driver.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "core/error.hpp"
#include "core/host_seconds.hpp"
#include "io/atomic_file.hpp"
#include "io/message.hpp"
#include "io/run_directory.hpp"
#include "launch/ranks.hpp"

namespace watersmeet::run {

int Driver::run() {
  try {
    const int status = run_steps();
    finish(status);
    return status;
  } catch (const comm::AgreedError& error) {
    throw comm::AgreedError(error.kind(), text_after(error));
  } catch (const Error& error) {
    // A fault of this rank alone: the others may be waiting for it while they make a file together.
    if (files_->size() > 1) launch::end_all_ranks(files_.get(), error, options_);
    throw Error(error.kind(), text_after(error));
  } catch (const std::exception& error) {
    if (files_->size() > 1) launch::end_all_ranks(files_.get(), error, options_);
    throw;
  }
}

int Driver::run_steps() {
  begin();
  const auto ended = [this] {
    const exec::Clock& c = engine_.clock();
    return c.t >= t_end_ || c.step >= step_end_ || c.status == exec::ClockStatus::converged ||
           !stopped_by_.empty();
  };
  if (!resumed_) outputs(true, ended());  // time.steps = 0 writes the initial state and ends
  const auto watch = [this](const exec::Clock& clock) {
    const double now = seconds_since(begin_);
    if (report_every_steps_ > 0) {
      if (clock.step >= next_report_step_) {
        report(clock, true);
        next_report_step_ = (clock.step / report_every_steps_ + 1) * report_every_steps_;
      }
    } else if (now - last_permanent_ > std::max(1.0, now / 20)) {
      last_permanent_ = last_report_ = now;
      report(clock, true);
    } else if (now - last_report_ > 0.5) {
      last_report_ = now;
      report(clock, false);
    }
    return stop_.request();
  };
  while (!ended()) {
    const exec::Clock& c = engine_.clock();
    double t_limit = t_end_;
    std::int64_t step_limit = step_end_;
    const auto meet = [&](const Schedule& s) {
      t_limit = std::min(t_limit, s.next_time(c.t));
      step_limit = std::min(step_limit, s.next_step(c.step));
    };
    for (const Schedule* s :
         {&fields_, &series_schedule_, &spectra_schedule_, &profiles_schedule_, &checkpoints_})
      meet(*s);
    for (const Part& part : parts_) meet(part.what.schedule);
    for (const Drawn& picture : pictures_) meet(picture.what.part.schedule);
    for (const Marched& surface : isosurfaces_) meet(surface.what.part.schedule);
    t_limit = std::min({t_limit, averages_->next_time(c.t), triggers_->next_time(c.t)});
    step_limit = std::min(step_limit, triggers_->next_step(c.step));
    step_limit = std::min(step_limit, balance_->next_step());
    balance_->measure([&] { engine_.advance(t_limit, step_limit, watch); });
    std::uint64_t request[1] = {std::max(stop_.request(), engine_.clock().stop)};
    engine_.team().communicator().all_reduce_max(std::span<std::uint64_t>(request));
    const std::string reason = reason_of(request[0]);
    outputs(false, ended());
    if (!reason.empty() && !ended()) {
      terminal_.say(
          fmt::format("stopping at step {}: {}{}", engine_.clock().step, reason,
                      reason == "Ctrl-C" ? " (press it again to stop without a checkpoint)" : ""));
      write_checkpoint_file();
      guard([this] { writer_.drain(); });
      agree();
      terminal_.say(fmt::format("checkpoint {}\nresume it with:  watersmeet resume {}",
                                last_checkpoint_, directory_));
      return 75;
    }
    if (balance_->due() && !ended()) correct_parts();
  }
  return 0;
}

// Through a checkpoint, as a run is resumed with other ranks.
void Driver::correct_parts() {
  const auto begin = std::chrono::steady_clock::now();
  const exec::Clock& c = engine_.clock();
  const double steps_left =
      std::min(static_cast<double>(step_end_ - c.step), (t_end_ - c.t) / c.dt);
  const auto correction =
      balance_->end_window(steps_left, stop_.seconds_left(),
                           2 * stop_.checkpoint_seconds() + engine_.seconds_of_set_up());
  if (!correction) return;
  const int ranks = engine_.team().size();
  const std::vector<std::int64_t> cells = cells_of_ranks(engine_.placement().shares, ranks),
                                  others = cells_of_ranks(correction->shares, ranks);
  const std::string what =
      fmt::format("step {}: cells a rank {} -> {}, for steps that take {:.0f} % less time", c.step,
                  fmt::join(cells, " "), fmt::join(others, " "), 100 * correction->gain);
  Engine::Division division;
  try {
    division = engine_.divide(correction->shares);
  } catch (const comm::AgreedError& error) {
    balance_->stop();
    terminal_.say(fmt::format("note: {} cannot be had: {}", what, error.what()));
    return;
  }
  write_checkpoint_file();
  guard([this] { writer_.drain(); });
  agree();
  averages_.reset();
  triggers_.reset();
  pool_.clear();
  io::CheckpointReader reader(last_checkpoint_, &engine_.team().communicator());
  engine_.go_on(std::move(division), reader);
  averages_.emplace(engine_);
  triggers_.emplace(engine_);
  averages_->restore(reader);
  triggers_->restore(reader);
  averages_->begin_windows(engine_.clock());
  place_isosurfaces();
  balance_->begin_anew();
  terminal_.say(what);
  if (first_) guard([&] { io::record_division(directory_, {c.step, cells, others}); });
  agree();
  io_seconds_ += seconds_since(begin);
}

void Driver::report(const exec::Clock& clock, bool permanent) {
  if (!first_) return;
  const double wall = seconds_since(begin_);
  const double stepping = wall - io_seconds_;
  const std::int64_t steps = clock.step - reported_steps_;
  const double seconds = stepping - reported_seconds_;
  const double window = stop_.seconds_left();
  const double remaining = progress_->seconds_left(clock, wall);
  std::string left = fmt::format("{:>7}", clock_text(remaining));
  if (std::isfinite(remaining) && window < remaining) left += " (job ends first)";
  const std::string line = progress_->line(clock, seconds, steps, left);
  if (!permanent) {
    terminal_.status(line);
    return;
  }
  terminal_.say(line);
  record_telemetry(clock, progress_->grind_ns(seconds, steps));
  reported_steps_ = clock.step;
  reported_seconds_ = stepping;
}

void Driver::record_telemetry(const exec::Clock& clock, double grind) {
  io::TelemetryRecord record = {
      {"step", clock.step}, {"t", clock.t}, {"dt", clock.dt}, {"wall", seconds_since(begin_)}};
  record.emplace_back("grind_ns", grind);
  record.emplace_back("bound", progress_->of_bound(grind));
  record.emplace_back("io_s", io_seconds_);
  const auto columns = engine_.system().series_columns();
  for (std::size_t c = 0; c < columns.size() && c < last_series_.size(); ++c) {
    record.emplace_back(columns[c].name, last_series_[c]);
  }
  telemetry_->record(record);
}

void Driver::finish(int status) {
  index_parts(true);
  guard([this] { writer_.drain(); });
  agree();
  const std::string words = engine_.system().termination_summary();
  if (first_) guard([&] { conclude(status, words); });
  agree();
}

void Driver::conclude(int status, const std::string& words) {
  const exec::Clock& c = engine_.clock();
  const double grind = progress_->grind_ns(engine_.seconds_stepping(), engine_.steps_done());
  record_telemetry(c, grind);
  if (status == 0) {
    io::write_series_h5(directory_);
    const std::int64_t steps = c.step - steps_before_;
    // A run that was to converge and did not has ended, but has not done what it was for.
    const bool missed = words.rfind("not converged", 0) == 0;
    terminal_.say(progress_->line(c, engine_.seconds_stepping(), engine_.steps_done()));
    terminal_.say(fmt::format(
        "\n{}  {} in {} ({}, {:.4g} ns/point/step, {} points/s; {} with output)",
        missed ? "ended" : "done ",
        (words.empty() ? fmt::format("t = {:g}", c.t) : words) +
            (stopped_by_.empty() ? "" : ", stopped by trigger " + stopped_by_),
        io::duration_text(engine_.seconds_stepping()), io::counted(steps, "step"), grind,
        grind > 0 ? io::count_text(1e9 / grind) : "-", io::duration_text(seconds_since(begin_))));
  }
  io::record_end(directory_, status, converged(), stopped_by_);
}

std::optional<bool> Driver::converged() const {
  if (engine_.system().most_steps() == 0) return std::nullopt;
  return engine_.clock().status == exec::ClockStatus::converged;
}

// The reason why the run ended, after files that are being written are finished.
std::string Driver::text_after(const Error& error) {
  std::string text = error.what();
  try {
    writer_.drain();
  } catch (const Error& later) {
    if (text.find(later.what()) == std::string::npos)
      text += std::string("\nalso: ") + later.what();
  }
  if (error.kind() == ErrorKind::diverged && first_) {
    set_aside_unconfirmed();
    text += advice_after_divergence();
  }
  if (text.find(std::strerror(ENOSPC)) != std::string::npos && first_) {
    text += "\n  free some space on the disk of " + directory_ + ", then:  watersmeet " +
            (io::newest_good_checkpoint(directory_).empty()
                 ? "run " + io::join(directory_, "resolved.toml")
                 : "resume " + directory_);
  }
  return text;
}

// So that `resume` takes the newest checkpoint that later rows have shown to be good. Where
// there is none, the others are the best there are.
void Driver::set_aside_unconfirmed() const {
  const std::vector<std::int64_t> steps = io::checkpoint_steps(directory_);
  const auto after = std::upper_bound(steps.begin(), steps.end(), confirmed_step_);
  if (after != steps.begin()) io::set_aside_checkpoints_after(directory_, *std::prev(after));
}

// The last good state, a command that resumes from there (or starts again) with half the step, and
// what the system advises.
std::string Driver::advice_after_divergence() const {
  if (!resumed_ && engine_.clock().step == 0) {
    return fmt::format(
        "\n  before any step: numbers of the case are too large or too small for {} precision. "
        "Check its [physics], [[initial]]{}{} and lengths, or choose other units",
        name_of(engine_.system().precision()),
        engine_.input().is_set("boundary") ? ", [boundary]" : "",
        engine_.input().count("source") > 0 ? ", [[source]]" : "");
  }
  const std::string newest = io::newest_good_checkpoint(directory_);
  const std::string key = engine_.input().is_set("time.dt") ? "time.dt" : "time.cfl";
  std::string text = fmt::format(
      "\n  {}\n  likely: the time step is too long or the grid too coarse. Try  watersmeet {} "
      "--set {}={:g}",
      newest.empty() ? "no checkpoint was written before" : "last good state: " + newest,
      newest.empty() ? "run " + io::join(directory_, "resolved.toml") : "resume " + directory_, key,
      engine_.input().real(key) / 2);
  for (const std::string& hint : engine_.system().failure_hints()) text += "\n  or: " + hint;
  if (engine_.input().count("source") > 0) text += "\n  or: check the values of its [[source]]";
  return text;
}

void Driver::guard(const std::function<void()>& work) {
  try {
    work();
  } catch (const comm::SilentPeer&) {
    throw;  // agree() would wait for that peer again
  } catch (const Error&) {
    if (!fault_) fault_ = std::current_exception();
  }
}

void Driver::agree() {
  comm::agree(*engine_.placement().ranks, [this] {
    if (fault_) std::rethrow_exception(std::exchange(fault_, nullptr));
  });
}

}  // namespace watersmeet::run

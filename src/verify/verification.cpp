#include "verify/verification.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "core/device.hpp"

namespace watersmeet::verify {

const char* name_of(Outcome outcome) {
  return outcome == Outcome::pass ? "pass" : outcome == Outcome::fail ? "FAIL" : "reported";
}

std::string box_text(const char* system, const Index3& cells, const Real3& lower,
                     const Real3& upper) {
  return fmt::format(
      "[case]\nsystem = \"{}\"\n[grid]\ncells = [{}]\nlower = [{:.17e}]\nupper = [{:.17e}]\n",
      system, fmt::join(cells, ", "), fmt::join(lower, ", "), fmt::join(upper, ", "));
}

Verification::Verification(SimulationOptions options, Extent extent,
                           std::function<void(const VerifyRow&)> on_row)
    : options_(std::move(options)), extent_(extent), on_row_(std::move(on_row)) {}

bool Verification::on_gpu() const {
  std::string kind = options_.device;
  const std::string key = "device.kind=";
  for (const std::string& set : options_.set) {  // comes after the flag
    if (set.rfind(key, 0) == 0) kind = set.substr(key.size());
  }
  return kind != "cpu" && kind != "\"cpu\"" && !cuda_devices().empty();
}

Simulation Verification::start(const std::string& case_text, const std::string& precision,
                               int threads) const {
  SimulationOptions options = options_;
  if (!precision.empty()) options.precision = precision;
  if (threads > 0) options.threads = threads;
  return Simulation::from_text(case_text, options, "verification");
}

void Verification::add(const std::string& name, double measured, const std::string& expected,
                       double tolerance, Outcome outcome) {
  rows_.push_back({group_, name, measured, expected, tolerance, outcome});
  if (on_row_) on_row_(rows_.back());
}

void Verification::near(const std::string& name, double measured, double expected,
                        double tolerance) {
  const bool good = std::abs(measured - expected) <= tolerance;
  const std::string margin = tolerance > 0 ? fmt::format(" +- {:.3g}", tolerance) : "";
  add(name, measured, fmt::format("{:.10g}{}", expected, margin), tolerance,
      good ? Outcome::pass : Outcome::fail);
}

void Verification::near_relative(const std::string& name, double measured, double expected,
                                 double tolerance) {
  const bool good = std::abs(measured - expected) <= tolerance * std::abs(expected);
  const std::string margin = tolerance >= 1e-4 ? fmt::format("{:.3g} %", 100 * tolerance)
                                               : fmt::format("{:.1e} of it", tolerance);
  add(name, measured, fmt::format("{:.8g} +- {}", expected, margin), tolerance * std::abs(expected),
      good ? Outcome::pass : Outcome::fail);
}

void Verification::below(const std::string& name, double measured, double bound) {
  add(name, measured, fmt::format("below {:.3g}", bound), bound,
      measured <= bound ? Outcome::pass : Outcome::fail);
}

void Verification::above(const std::string& name, double measured, double bound) {
  add(name, measured, fmt::format("above {:.3g}", bound), bound,
      measured >= bound ? Outcome::pass : Outcome::fail);
}

void Verification::within(const std::string& name, double measured, double lowest, double highest) {
  const bool good = measured >= lowest && measured <= highest;
  add(name, measured, fmt::format("{:.3g} to {:.3g}", lowest, highest), (highest - lowest) / 2,
      good ? Outcome::pass : Outcome::fail);
}

void Verification::zero(const std::string& name, double measured) {
  add(name, measured, "0", 0, measured == 0 ? Outcome::pass : Outcome::fail);
}

void Verification::report(const std::string& name, double measured, const std::string& remark) {
  add(name, measured, remark, 0, Outcome::reported);
}

void Verification::failed(const std::string& name, const std::string& reason) {
  add(name, std::nan(""), reason, 0, Outcome::fail);
}

void Verification::leave_out(const std::string& what, const std::string& why) {
  left_out_.push_back(what + ": " + why);
}

}  // namespace watersmeet::verify

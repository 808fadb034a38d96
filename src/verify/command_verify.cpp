// watersmeet verify SYSTEM: prints every row of the verification as it is measured; exit status 5
// when one fails.
#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "run/known_system.hpp"
#include "verify/groups.hpp"
#include "watersmeet/commands.hpp"

namespace watersmeet {
namespace {

using Json = nlohmann::ordered_json;
using verify::Outcome;
using verify::VerifyRow;

constexpr int verification_failed = 5;

void print_row(const VerifyRow& row) {
  const std::string expected = (row.outcome == Outcome::reported ? "" : "expected ") + row.expected;
  fmt::print(" {:<72}  {:>13.7g}   {:<41} {}\n", row.group + ": " + row.name, row.measured,
             expected, name_of(row.outcome));
  std::fflush(stdout);
}

// A run that diverges fails its group and not the whole verification.
void measure(const verify::VerifyGroup& group, verify::Verification& verification) {
  verification.begin_group(group.name);
  try {
    group.measure(verification);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::diverged) throw;
    verification.failed("a run diverged", error.what());
  }
}

Json to_json(const VerifyRow& row) {
  const Json measured = std::isfinite(row.measured) ? Json(row.measured) : Json();
  const Json pass = row.outcome == Outcome::reported ? Json() : Json(row.outcome == Outcome::pass);
  return {{"group", row.group},       {"name", row.name},           {"value", measured},
          {"expected", row.expected}, {"tolerance", row.tolerance}, {"pass", pass}};
}

}  // namespace

int command_verify(const std::string& system, bool quick, const CommonOptions& options) {
  const std::string name = run::known_system(system);
  const std::vector<verify::VerifyGroup> groups = verify::groups_of(name);
  if (groups.empty()) {
    throw Error(ErrorKind::unsupported, "the system " + name + " has no verification");
  }
  SimulationOptions chosen;
  chosen.device = options.device;
  chosen.precision = options.precision;
  chosen.threads = options.threads;
  chosen.set = options.set;
  const bool rows_shown = !options.json && !options.quiet;
  verify::Verification verification(
      chosen, quick ? verify::Extent::quick : verify::Extent::full,
      rows_shown ? print_row : std::function<void(const VerifyRow&)>{});
  for (const verify::VerifyGroup& group : groups) measure(group, verification);

  int judged = 0, passed = 0;
  Json all = Json::array();
  for (const VerifyRow& row : verification.rows()) {
    judged += row.outcome != Outcome::reported;
    passed += row.outcome == Outcome::pass;
    all.push_back(to_json(row));
    if (options.quiet && !options.json && row.outcome == Outcome::fail) print_row(row);
  }
  if (options.json) {
    fmt::print("{}\n", all.dump(2));
  } else {
    for (const std::string& part : verification.left_out()) fmt::print(" left out: {}\n", part);
    fmt::print(" {} of {} passed\n", passed, judged);
  }
  return passed == judged ? 0 : verification_failed;
}

}  // namespace watersmeet

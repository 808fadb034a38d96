// watersmeet diff A B: exit status 0 only when nothing differs, not even in the last bit.
#include <fmt/format.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <set>

#include "commands/comparison.hpp"
#include "commands/run_target.hpp"
#include "core/error.hpp"
#include "io/message.hpp"
#include "io/run_directory.hpp"
#include "watersmeet/commands.hpp"

namespace watersmeet {
namespace {

using Json = nlohmann::ordered_json;
using commands::ArrayDifference;
using commands::Comparison;

void print(const Comparison& c) {
  fmt::print("a  {}  ({}, {})\nb  {}  ({}, {})\n", c.a, c.kind, c.about_a, c.b, c.kind, c.about_b);
  std::size_t width = 5;
  for (const ArrayDifference& d : c.arrays) width = std::max(width, d.name.size());
  if (!c.arrays.empty()) {
    fmt::print("  {:{}}  {:>10}  {:>10}  {:>10}  {:>10}  bits\n", "field", width, "max|a-b|",
               "relative", "L2", "relative");
  }
  for (const ArrayDifference& d : c.arrays) {
    fmt::print("  {:{}}  {:>10.3g}  {:>10.3g}  {:>10.3g}  {:>10.3g}  ", d.name, width, d.largest,
               d.relative_largest(), d.l2, d.relative_l2());
    if (d.bitwise_equal()) {
      fmt::print("equal");
    } else {
      fmt::print("{} of {} differ", d.differing, d.count);
      if (!d.same_type) fmt::print("; stored in single and in double");
    }
    if (d.left_out > 0) fmt::print("; {} not finite", d.left_out);
    fmt::print("\n");
  }
  for (const std::string& remark : c.remarks) fmt::print("  {}\n", remark);
}

// JSON has no infinity: nlohmann writes null, for a relative difference without scale.
Json to_json(const Comparison& c) {
  Json fields = Json::array();
  for (const ArrayDifference& d : c.arrays) {
    fields.push_back({{"name", d.name},
                      {"max", d.largest},
                      {"max_relative", d.relative_largest()},
                      {"l2", d.l2},
                      {"l2_relative", d.relative_l2()},
                      {"values", d.count},
                      {"differing", d.differing},
                      {"not_finite", d.left_out},
                      {"same_type", d.same_type},
                      {"bitwise_equal", d.bitwise_equal()}});
  }
  return {{"a", c.a},           {"b", c.b},         {"kind", c.kind},
          {"equal", c.equal()}, {"fields", fields}, {"differences", c.remarks}};
}

using Listing = std::function<std::vector<std::string>(const std::string& directory)>;

// The newest of both folders; where only one has any, that is a remark.
void compare_newest(const std::string& a, const std::string& b, const std::string& what,
                    const Listing& listing,
                    Comparison (*compare)(const std::string&, const std::string&),
                    std::vector<Comparison>& comparisons, std::vector<std::string>& remarks) {
  const std::vector<std::string> in_a = listing(a);
  const std::vector<std::string> in_b = listing(b);
  if (!in_a.empty() && !in_b.empty()) comparisons.push_back(compare(in_a.back(), in_b.back()));
  if (in_a.empty() != in_b.empty()) {
    remarks.push_back(fmt::format("only {} has {}", in_a.empty() ? b : a, what));
  }
}

}  // namespace

int command_diff(const std::string& a, const std::string& b, const CommonOptions& options) {
  const commands::Target kind = commands::target_of(a);
  const commands::Target other = commands::target_of(b);
  const bool known = kind == commands::Target::snapshot || kind == commands::Target::checkpoint ||
                     kind == commands::Target::run_directory;
  if (kind != other || !known) {
    refuse({.kind = "cannot-compare",
            .found = {},
            .message = fmt::format("cannot compare a {} with a {}", name_of(kind), name_of(other)),
            .suggestion = {},
            .allowed = "diff takes two snapshots, two checkpoints or two run folders"});
  }
  std::vector<Comparison> comparisons;
  std::vector<std::string> remarks;
  if (kind == commands::Target::snapshot) {
    comparisons.push_back(commands::compare_snapshots(a, b));
  } else if (kind == commands::Target::checkpoint) {
    comparisons.push_back(commands::compare_checkpoints(a, b));
  } else {
    const auto of_kind = [](const std::string& prefix) {
      return [prefix](const std::string& run) { return io::list_snapshots(run, prefix); };
    };
    compare_newest(a, b, "a snapshot", of_kind("fields"), commands::compare_snapshots, comparisons,
                   remarks);
    const auto compare_named = [&](const std::string& what, const auto& names_of,
                                   const auto& kind_of) {
      std::set<std::string> names;
      for (const std::string& run : {a, b}) {
        for (const std::string& name : names_of(run)) names.insert(name);
      }
      for (const std::string& name : names) {
        compare_newest(a, b, what + " " + name, of_kind(kind_of(name)), commands::compare_snapshots,
                       comparisons, remarks);
      }
    };
    compare_named("averages", io::average_names, io::average_kind);
    compare_named("part", io::part_names, io::part_kind);
    compare_newest(a, b, "a checkpoint", io::list_checkpoints, commands::compare_checkpoints,
                   comparisons, remarks);
    if (comparisons.empty() && remarks.empty()) {
      throw Error(ErrorKind::user_input, "neither run has a snapshot or a checkpoint to compare");
    }
  }
  bool equal = remarks.empty();
  for (const Comparison& c : comparisons) equal = equal && c.equal();
  if (options.json) {
    Json parts = Json::array();
    for (const Comparison& c : comparisons) parts.push_back(to_json(c));
    const Json all = {{"equal", equal}, {"comparisons", parts}, {"differences", remarks}};
    fmt::print("{}\n", all.dump(2, ' ', false, Json::error_handler_t::replace));
  } else if (!options.quiet) {
    for (const Comparison& c : comparisons) print(c);
    for (const std::string& remark : remarks) fmt::print("{}\n", remark);
    fmt::print("{}\n", equal ? "nothing differs" : "different");
  }
  return equal ? 0 : 1;
}

}  // namespace watersmeet

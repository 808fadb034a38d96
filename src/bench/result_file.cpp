#include "bench/result_file.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "io/atomic_file.hpp"
#include "io/run_directory.hpp"
#include "io/version.hpp"

namespace watersmeet::bench {

namespace {
using nlohmann::json;

// Kernels of the first rank. What follows from bytes and operations is left out where they are not
// known, shares of the peak where that is not.
json split_json(const BenchResult& r) {
  json list = json::array();
  const double step = r.ms_per_step() * 1e-3;
  for (const exec::KernelTime& k : r.split) {
    json entry = {{"name", k.name},
                  {"seconds", k.seconds},
                  {"launches_per_step", k.launches},
                  {"share_of_step", k.launches * k.seconds / step},
                  {"bytes", k.bytes}};
    if (k.bytes > 0 && k.seconds > 0 && r.roofline.bandwidth > 0) {
      entry["share_of_copy_bandwidth"] = k.bytes / k.seconds / r.roofline.bandwidth;
    }
    if (k.flops > 0 && k.seconds > 0) {
      entry["flops"] = k.flops;
      entry["reciprocals_and_roots"] = k.slow_flops;
      if (k.bytes > 0) entry["flops_per_byte"] = k.flops / k.bytes;
      entry["gigaflops"] = k.flops / k.seconds * 1e-9;
      if (r.roofline.complete()) {
        const double least = r.roofline.seconds(k.bytes, k.flops);
        entry["share_of_peak"] = k.flops / k.seconds / r.roofline.peak;
        entry["roofline_seconds"] = least;
        entry["share_of_roofline"] = least / k.seconds;
      }
    }
    list.push_back(entry);
  }
  return list;
}

json row_json(const BenchResult& r) {
  json row = {{"cells", r.row.cells},
              {"ranks", r.ranks},
              {"ranks_along", r.ranks_along},
              {"cells_of_first_rank", r.cells_of_first_rank},
              {"transport", r.transport},
              {"overlap", r.overlap},
              {"ms_per_step", r.ms_per_step()},
              {"precision", r.row.variant.precision},
              {"kernel", r.kernel.name},
              {"variables", r.variables},
              {"stages", r.stages},
              {"ns_per_point_step", r.ns_per_point_step},
              {"ns_per_point_rhs", r.ns_per_point_rhs()},
              {"spread", r.spread},
              {"gigaupdates_per_s", 1.0 / r.ns_per_point_step},
              {"bytes_per_point_step", r.bytes_per_point_step},
              {"floor_ns", r.floor_ns},
              {"share_of_floor", r.floor_ns / r.ns_per_point_step},
              {"registers", r.kernel.registers},
              {"shared_bytes", r.kernel.shared_bytes},
              {"local_bytes", r.kernel.local_bytes},
              {"warps_per_multiprocessor", r.kernel.warps_per_multiprocessor},
              {"steps", r.steps},
              {"repeats", r.repeats}};
  for (const auto& [name, value] : r.row.variant.labels) {
    require(!row.contains(name), "a label of a benchmark's rows has the name of another key");
    row[name] = value;
  }
  if (r.ratio) {
    row[r.ratio_name] = r.ratio->median;
    row[r.ratio_name + "_spread"] = r.ratio->spread;
  }
  if (r.flops_per_point_rhs > 0) {
    row["flops_per_point_rhs"] = r.flops_per_point_rhs;
    row["gigaflops"] = r.gigaflops();
  }
  if (!r.split.empty()) row["kernels"] = split_json(r);
  if (r.roofline.peak > 0) row["peak_flops_per_s"] = r.roofline.peak;
  return row;
}
}  // namespace

std::string result_json(const std::string& system, const std::string& unit,
                        const BenchMachine& machine, int ranks,
                        const std::vector<BenchResult>& results, const std::string& command_line,
                        int indent) {
  const io::BuildInfo build = io::build_info();
  json rows = json::array();
  for (const BenchResult& r : results) rows.push_back(row_json(r));
  const json document = {{"benchmark", system},
                         {"unit", "one full time step of one " + unit +
                                      "; ghosts and time-step reduction included, no output"},
                         {"device", machine.device},
                         {"ranks", ranks},
                         {"copy_bandwidth_bytes_per_s", machine.bandwidth},
                         {"commit", io::commit_text(build)},
                         {"version", build.version},
                         {"compiler", build.compiler},
                         {"cuda", build.cuda},
                         {"simd", build.simd},
                         {"command", command_line},
                         {"date", io::utc_now()},
                         {"rows", rows}};
  return document.dump(indent);
}

EarlierResults::EarlierResults(const std::string& path) {
  const json old = json::parse(io::read_text_file(path), nullptr, false);
  const auto refuse_file = [&] {
    throw Error(ErrorKind::user_input, path + " is not a result of `watersmeet bench`");
  };
  if (!old.is_object() || !old.contains("rows") || !old["rows"].is_array()) refuse_file();
  for (const json& r : old["rows"]) {
    if (!r.is_object() || !r.contains("cells") || !r.contains("ns_per_point_step")) refuse_file();
    Row row;
    try {
      row.cells = r["cells"].get<Index3>();
      row.ns = r["ns_per_point_step"].get<double>();
    } catch (const json::exception&) {
      refuse_file();
    }
    for (const auto& [name, value] : r.items()) {
      if (value.is_string()) row.texts[name] = value.get<std::string>();
    }
    rows_.push_back(row);
  }
}

std::optional<double> EarlierResults::ns_of(const BenchResult& result) const {
  std::vector<systems::BenchLabel> wanted = result.row.variant.labels;
  wanted.emplace_back("precision", result.row.variant.precision);
  wanted.emplace_back("kernel", result.kernel.name);
  for (const Row& row : rows_) {
    const bool same = std::all_of(wanted.begin(), wanted.end(), [&](const auto& text) {
      const auto found = row.texts.find(text.first);
      return found == row.texts.end() || found->second == text.second;
    });
    if (same && row.cells == result.row.cells) return row.ns;
  }
  return std::nullopt;
}

std::optional<double> EarlierResults::fastest_ns(const Index3& cells, const std::string& precision,
                                                 const std::string& label,
                                                 const std::string& value) const {
  std::optional<double> fastest;
  for (const Row& row : rows_) {
    const auto says = [&row](const std::string& name, const std::string& text) {
      const auto found = row.texts.find(name);
      return found != row.texts.end() && found->second == text;
    };
    if (row.cells != cells || !says("precision", precision) || !says(label, value)) continue;
    fastest = std::min(fastest.value_or(row.ns), row.ns);
  }
  return fastest;
}

}  // namespace watersmeet::bench

#include "bench/rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "core/error.hpp"

namespace watersmeet::bench {

namespace {
std::vector<std::string> words_of(const systems::BenchVariant& variant) {
  std::vector<std::string> words = {variant.precision};
  for (const systems::BenchLabel& label : variant.labels) words.push_back(label.second);
  return words;
}

bool has_all(const systems::BenchVariant& variant, const std::string& only) {
  std::vector<std::string> own = words_of(variant);
  for (const systems::BenchLabel& label : variant.labels) {
    own.push_back(label.first + "=" + label.second);
  }
  std::istringstream words(only);
  for (std::string word; words >> word;) {
    if (std::find(own.begin(), own.end(), word) == own.end()) return false;
  }
  return true;
}

// A KEY=VALUE of --set, the value without quotes.
struct Setting {
  std::string path, name, value;  // "numerics.order", "order", "4"
};

Setting setting_of(const std::string& text) {
  const auto trimmed = [](const std::string& s, const char* what) {
    const std::size_t begin = s.find_first_not_of(what);
    return begin == std::string::npos ? std::string()
                                      : s.substr(begin, s.find_last_not_of(what) - begin + 1);
  };
  const std::size_t equals = std::min(text.find('='), text.size());
  Setting s;
  s.path = trimmed(text.substr(0, equals), " ");
  s.name = s.path.substr(s.path.rfind('.') + 1);
  if (equals < text.size()) s.value = trimmed(trimmed(text.substr(equals + 1), " "), "\"'");
  return s;
}

void refuse_fixed(const std::vector<Setting>& settings, std::vector<std::string> fixed) {
  fixed.push_back("grid");
  for (const Setting& s : settings) {
    for (const std::string& key : fixed) {
      if (s.path != key && s.path.rfind(key + ".", 0) != 0) continue;
      refuse({.kind = "bad-value",
              .found = s.path,
              .message = fmt::format("--set {}: the rows of the benchmark have their own, which "
                                     "their labels tell",
                                     s.path),
              .suggestion = key == "grid" ? "--cells N for another grid" : "--only for some rows",
              .allowed = {}});
    }
  }
}

// The variant as --set changes it.
systems::BenchVariant relabelled(systems::BenchVariant variant,
                                 const std::vector<Setting>& settings) {
  for (const Setting& s : settings) {
    if (s.path == "numerics.precision") variant.precision = s.value;
    for (systems::BenchLabel& label : variant.labels) {
      if (label.first == s.name) label.second = s.value;
    }
  }
  return variant;
}

[[noreturn]] void refuse_rows(const systems::Bench& bench, const BenchOptions& options) {
  std::vector<std::string> known;
  for (const systems::BenchVariant& variant : bench.variants) {
    for (const std::string& word : words_of(variant)) {
      if (std::find(known.begin(), known.end(), word) == known.end()) known.push_back(word);
    }
  }
  std::string suggestion, list;
  std::istringstream words(options.only);
  for (std::string word; words >> word && suggestion.empty();) {
    if (std::find(known.begin(), known.end(), word) == known.end())
      suggestion = did_you_mean(word, known);
  }
  for (const std::string& word : known) list += (list.empty() ? "" : ", ") + word;
  std::string asked = options.precision;
  if (!options.only.empty()) asked += (asked.empty() ? "" : " ") + options.only;
  refuse({.kind = "bad-value",
          .found = options.only,
          .message = fmt::format("no row of the benchmark has all of `{}`", asked),
          .suggestion = suggestion,
          .allowed = "words of rows: " + list});
}
}  // namespace

Index3 cells_of(const std::string& text, bool planes) {
  Index3 n{};
  std::size_t axis = 0;
  const char* p = text.c_str();
  while (axis < 3) {
    char* end = nullptr;
    n[axis] = std::strtoll(p, &end, 10);
    if (end == p || n[axis] < 1 || (*end != '\0' && *end != 'x')) {
      throw Error(ErrorKind::user_input,
                  fmt::format("--cells {}: a number such as 256, or {} such as {}", text,
                              planes ? "two" : "three", planes ? "512x256" : "512x512x256"));
    }
    ++axis;
    p = end;
    if (*p == '\0') break;
    ++p;
  }
  if (axis == 1) n[1] = n[0];
  if (axis < 3) n[2] = planes ? 1 : n[0];
  if ((axis == 2 && !planes) || *p != '\0') {
    throw Error(
        ErrorKind::user_input,
        fmt::format("--cells {} gives {} numbers, and {} can be given, such as {}", text,
                    axis == 2 ? "two" : "more than three", planes ? "one to three" : "one or three",
                    planes ? "256, 512x256 or 512x256x1" : "256 or 512x512x256"));
  }
  return n;
}

std::string cells_text(const Index3& cells) {
  return fmt::format("{}x{}x{}", cells[0], cells[1], cells[2]);
}

std::vector<BenchRow> rows_of(const systems::Bench& bench, const BenchOptions& options) {
  std::vector<Index3> grids;
  const bool planes = std::any_of(bench.grids.begin(), bench.grids.end(),
                                  [](const Index3& cells) { return cells[2] == 1; });
  for (const std::string& text : options.cells) grids.push_back(cells_of(text, planes));
  if (grids.empty()) grids = bench.grids;
  std::vector<Setting> settings;
  for (const std::string& text : options.set) settings.push_back(setting_of(text));
  refuse_fixed(settings, bench.fixed);
  std::vector<BenchRow> rows;
  const auto add = [&](const Index3& cells, const systems::BenchVariant& listed) {
    const systems::BenchVariant variant = relabelled(listed, settings);
    if (!options.precision.empty() && options.precision != variant.precision) return;
    if (!has_all(listed, options.only) && !has_all(variant, options.only)) return;
    const bool there = std::any_of(rows.begin(), rows.end(), [&](const BenchRow& row) {
      return row.cells == cells && row.variant.precision == variant.precision &&
             row.variant.labels == variant.labels;
    });
    if (!there) rows.push_back({cells, variant});
  };
  for (const Index3& cells : grids) {
    for (const systems::BenchVariant& variant : bench.variants) {
      const bool here = !bench.on_grid || bench.on_grid(variant, cells);
      if (!variant.own_grid() && here) add(cells, variant);
    }
  }
  for (const systems::BenchVariant& variant : bench.variants) {
    if (variant.own_grid() && options.cells.empty()) add(variant.cells, variant);
  }
  if (rows.empty()) refuse_rows(bench, options);
  return rows;
}

}  // namespace watersmeet::bench

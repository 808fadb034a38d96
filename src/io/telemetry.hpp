#pragma once
// telemetry.jsonl: one JSON object per line and report, flushed, so that it survives a kill and can
// be followed during the run. The first line is a header with the units.

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace watersmeet::io {

// monostate is written as null, and so is a number that is not finite (JSON has no other value for
// it).
using TelemetryValue =
    std::variant<std::monostate, std::int64_t, double, bool, std::string, std::vector<double>>;
using TelemetryRecord = std::vector<std::pair<std::string, TelemetryValue>>;

class Telemetry {
 public:
  // New file with its header record {"header": {...}, "units": {name: units}}, or, when `resume`
  // and the file exists, the old one, of which only a last line cut short by a kill is dropped.
  // Error{io}.
  Telemetry(std::string path, const std::vector<std::pair<std::string, std::string>>& units,
            const TelemetryRecord& header, bool resume);
  Telemetry(Telemetry&& other) noexcept;
  Telemetry& operator=(Telemetry&&) = delete;
  ~Telemetry();

  // Appends one line. Error{io}; the file then ends with the record before.
  void record(const TelemetryRecord& values);

 private:
  std::string path_;
  int descriptor_ = -1;
};

}  // namespace watersmeet::io

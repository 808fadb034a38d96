// JSON lines; see the header.
#include "io/telemetry.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "io/appended_file.hpp"
#include "io/atomic_file.hpp"

namespace watersmeet::io {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const TelemetryRecord& record) {
  Json object = Json::object();
  for (const auto& [name, value] : record) {
    object[name] = std::visit(
        [](const auto& v) -> Json {
          if constexpr (std::is_same_v<std::decay_t<decltype(v)>, std::monostate>) {
            return nullptr;
          } else {
            return v;
          }
        },
        value);
  }
  return object;
}

std::string line(const Json& object) {
  return object.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

Telemetry::Telemetry(std::string path,
                     const std::vector<std::pair<std::string, std::string>>& units,
                     const TelemetryRecord& header, bool resume)
    : path_(std::move(path)) {
  struct stat info {};
  bool goes_on = resume && ::stat(path_.c_str(), &info) == 0;
  if (goes_on) {
    drop_unfinished_line(path_);
    goes_on = ::stat(path_.c_str(), &info) == 0 && info.st_size > 0;
  }
  if (!goes_on) {
    Json first;
    first["header"] = to_json(header);
    first["units"] = Json::object();
    for (const auto& [name, unit] : units) first["units"][name] = unit;
    write_text_file(path_, line(first));
  }
  descriptor_ = open_for_append(path_);
}

Telemetry::Telemetry(Telemetry&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

Telemetry::~Telemetry() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void Telemetry::record(const TelemetryRecord& values) {
  append_text(descriptor_, path_, line(to_json(values)));
}

}  // namespace watersmeet::io

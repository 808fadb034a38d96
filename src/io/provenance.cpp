// The group /run; see the header and docs/reference/files.md.
#include "io/provenance.hpp"

#include "io/hdf5_file.hpp"

namespace watersmeet::io {
namespace {

// An attribute lives in the object's header and cannot exceed 64 KiB there.
constexpr std::size_t longest_attribute = 32768;

struct Entry {
  const char* name;
  std::string Provenance::*text;
};
constexpr Entry entries[] = {
    {"program", &Provenance::program},       {"version", &Provenance::version},
    {"commit", &Provenance::commit},         {"build", &Provenance::build},
    {"system", &Provenance::system},         {"backend", &Provenance::backend},
    {"run_id", &Provenance::run_id},         {"command_line", &Provenance::command_line},
    {"title", &Provenance::title},           {"institution", &Provenance::institution},
    {"references", &Provenance::references}, {"history", &Provenance::history},
};

std::string shortened(const std::string& text) {
  return text.size() <= longest_attribute ? text : text.substr(0, longest_attribute) + " ...";
}

}  // namespace

void write_provenance(Hdf5File& file, const Provenance& provenance) {
  Hdf5Group run = file.root().create_group("run");
  for (const Entry& entry : entries) {
    const std::string& text = provenance.*entry.text;
    if (!text.empty()) run.set(entry.name, shortened(text));
  }
  std::string devices;
  for (const std::string& device : provenance.devices) {
    devices += (devices.empty() ? "" : "; ") + device;
  }
  if (!devices.empty()) run.set("devices", shortened(devices));
  run.set("ranks", provenance.ranks);
  run.set("seed", provenance.seed);
  std::string scale_names;
  for (const auto& [name, value] : provenance.scales) {
    run.set(name, value);
    scale_names += (scale_names.empty() ? "" : " ") + name;
  }
  if (!scale_names.empty()) run.set("scales", scale_names);
  run.create_text("input_toml", provenance.input_toml);
  run.create_text("resolved_toml", provenance.resolved_toml);
}

Provenance read_provenance(const std::string& path) {
  Hdf5File file = Hdf5File::open(path);
  const Hdf5Group run = file.root().open_group("run");
  Provenance provenance;
  for (const Entry& entry : entries) {
    if (run.has(entry.name)) provenance.*entry.text = run.text(entry.name);
  }
  const auto split = [](const std::string& text, const std::string& mark) {
    std::vector<std::string> parts;
    std::size_t start = 0;
    for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, start)) {
      parts.push_back(text.substr(start, at - start));
      start = at + mark.size();
    }
    parts.push_back(text.substr(start));
    return parts;
  };
  if (run.has("devices")) provenance.devices = split(run.text("devices"), "; ");
  provenance.ranks = static_cast<int>(run.integer("ranks"));
  provenance.seed = run.unsigned_integer("seed");
  if (run.has("scales")) {
    for (const std::string& name : split(run.text("scales"), " ")) {
      provenance.scales[name] = run.real(name);
    }
  }
  provenance.input_toml = run.open_dataset("input_toml").read_text();
  provenance.resolved_toml = run.open_dataset("resolved_toml").read_text();
  return provenance;
}

}  // namespace watersmeet::io

// Text files of a run and of a cluster, and command lines.
#include <algorithm>
#include <filesystem>

#include "cli/parse.hpp"
#include "io/run_directory.hpp"
#include "io/series.hpp"
#include "launch/slurm.hpp"
#include "targets.hpp"

namespace watersmeet::fuzz {

void site(std::string_view bytes) {
  answered([&] {
    launch::SlurmJob job;
    job.name = "fuzz";
    job.seconds = 3600;
    job.site = launch::load_site(file_of(bytes, "site.toml"));
    job.program = {"watersmeet", "run", "case.toml"};
    launch::job_script(job);
  });
  const std::string text(bytes);
  answered([&] { launch::slurm_time(launch::job_seconds(text)); });
}

// Words are separated by line ends. Nothing of what is parsed is run.
void command_line(std::string_view bytes) {
  std::vector<std::string> words;
  for (std::string_view rest = bytes; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    words.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  answered([&] { cli::parse(words); });
  cli::message_options(words);
}

void series(std::string_view bytes) {
  const std::string name = file_of(bytes, "series.csv");
  std::filesystem::remove("spectra.csv");
  answered([&] { io::read_series(name); });
  answered([&] { io::write_series_h5("."); });
  answered([&] { io::SeriesFile(name, {{"t", "s"}, {"energy", "J"}}, 3).append(4, {1, 2}); });
  const std::string spectra = file_of(bytes, "spectra.csv");
  answered([&] { io::write_series_h5("."); });
}

void run_record(std::string_view bytes) {
  file_of(bytes, "run.json");
  answered([&] { io::read_run_record("."); });
  answered([&] { io::record_end(".", 0, std::nullopt); });
}

}  // namespace watersmeet::fuzz

// Writes one small file of every kind into the folder $WATERSMEET_SAMPLES, for
// tests/python/test_files.py to read with other programs' libraries; without the variable it only
// checks that writing works. Values are simple functions of the cell's coordinates, so that the
// reader can compute them again.
#include <cmath>
#include <cstdlib>

#include "io/atomic_file.hpp"
#include "io/checkpoint.hpp"
#include "io/run_directory.hpp"
#include "io/series.hpp"
#include "io/snapshot.hpp"
#include "io/telemetry.hpp"
#include "io/xdmf.hpp"
#include "support/temporary.hpp"

namespace watersmeet::io {
namespace {

class SampleFiles : public Folder {};

// nx = 5, ny = 4, nz = 3: rho = x + 10 y + 100 z + 1000 t at the cell centres, velocity = (x, y, z)
// in single precision.
void write_snapshots(const std::string& directory, const Provenance& provenance) {
  SnapshotGrid grid;
  grid.n = {5, 4, 3};
  grid.lower = {0, 1, 2};
  grid.spacing = {0.5, 0.25, 0.125};
  grid.cell_offset = 0;
  grid.length_units = "m";
  grid.time_units = "s";
  for (const int step : {0, 10, 25}) {
    const double time = 0.1 * step;
    std::vector<double> rho;
    std::vector<float> velocity;
    for (int k = 0; k < 3; ++k) {
      for (int j = 0; j < 4; ++j) {
        for (int i = 0; i < 5; ++i) {
          const double x = 0.5 * i, y = 1 + 0.25 * j, z = 2 + 0.125 * k;
          rho.push_back(x + 10 * y + 100 * z + 1000 * time);
          for (const double v : {x, y, z}) velocity.push_back(static_cast<float>(v));
        }
      }
    }
    write_snapshot(snapshot_path(directory, step), grid, time, step, 0.01, 1.5,
                   {{"rho", "density", "kg m-3", "air_density", 1, Precision::double_, rho.data()},
                    {"velocity", "velocity", "m s-1", "", 3, Precision::single_, velocity.data()}},
                   provenance, "", whole_share(grid.n));
  }
  write_xdmf(directory, scan_snapshots(directory));
  EXPECT_TRUE(write_series_vtkhdf(directory));
}

TEST_F(SampleFiles, AreWritten) {
  const char* wanted = std::getenv("WATERSMEET_SAMPLES");
  const std::string directory = wanted != nullptr ? wanted : in("samples");
  create_explicit_directory(directory);

  Provenance provenance;
  provenance.program = "watersmeet";
  provenance.version = "0.1.0";
  provenance.commit = "1a2b3c4";
  provenance.system = "isothermal";
  provenance.title = "sample \u00b5";
  provenance.run_id = "sample-001";
  provenance.command_line = "watersmeet run sample.toml";
  provenance.devices = {"GPU A", "GPU B"};
  provenance.ranks = 2;
  provenance.seed = 18446744073709551615u;
  provenance.scales = {{"L_u", 0.5}};
  provenance.input_toml = "# caf\u00e9\n[case]\nname = \"sample\"\n";
  write_snapshots(directory, provenance);

  Checkpoint checkpoint;
  checkpoint.n = {5, 4, 3};
  std::vector<double> lnrho;
  for (int v = 0; v < 60; ++v) lnrho.push_back(std::sqrt(v));
  checkpoint.arrays = {{"lnrho", Precision::double_, lnrho.data()}};
  checkpoint.reals = {{"t", 0.1}};
  checkpoint.integers = {{"step", 25}};
  checkpoint.texts = {{"system", "isothermal"}};
  write_checkpoint(checkpoint_path(directory, 25), checkpoint, provenance);

  SeriesFile series(join(directory, "series.csv"), {{"t", "s"}, {"mass", "kg"}});
  SeriesFile spectra(join(directory, "spectra.csv"), {{"t", "s"}, {"k", "m-1"}, {"E", "m3 s-2"}});
  for (const int step : {0, 10, 25}) {
    series.append(step, {0.1 * step, 1.0 / 3 + step});
    spectra.append(step, {0.1 * step, 1, 0.5 + step, 0.1 * step, 2, 0.25 + step});
  }
  write_series_h5(directory);

  Telemetry telemetry(join(directory, "telemetry.jsonl"), {{"dt", "s"}}, {}, false);
  telemetry.record({{"step", std::int64_t{10}}, {"dt", 0.1}, {"power_w", {}}});
  Launch launch;
  launch.command_line = provenance.command_line;
  record_start(directory, provenance.run_id, launch);
  record_end(directory, 0, std::nullopt);
}

}  // namespace
}  // namespace watersmeet::io

// Series, spectra, telemetry: text that survives kills and is cut back on resume.
#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "io/atomic_file.hpp"
#include "io/hdf5_file.hpp"
#include "io/series.hpp"
#include "io/telemetry.hpp"
#include "support/temporary.hpp"

namespace watersmeet::io {
namespace {

class TextFiles : public Folder {
 protected:
  const std::vector<SeriesColumn> columns{{"t", "s"}, {"mass", "kg"}};
  const std::vector<SeriesColumn> spectrum{{"t", "s"}, {"k", "m-1"}, {"E", "m3 s-2"}};
};

TEST_F(TextFiles, SeriesIsTextAsPromised) {
  SeriesFile series(in("series.csv"), columns);
  series.append(0, {0.0, 1.0});
  series.append(400, {0.1, std::numeric_limits<double>::quiet_NaN()});
  EXPECT_EQ(read_text_file(in("series.csv")),
            "step,t,mass\n# units: 1,s,kg\n0,0,1\n400,0.10000000000000001,nan\n");
}

TEST_F(TextFiles, ResumeDropsLaterRowsAndHalfLines) {
  {
    SeriesFile series(in("series.csv"), columns);
    for (const int step : {0, 10, 20, 30}) series.append(step, {0.1 * step, 1.0 / 3});
  }
  put_bytes(in("series.csv"), bytes_of(in("series.csv")) + "40,0.4");
  SeriesFile series(in("series.csv"), columns, 20);
  series.append(25, {2.5, 1});
  const SeriesTable table = read_series(in("series.csv"));
  ASSERT_EQ(table.rows.size(), 4u);
  EXPECT_EQ(table.rows[1], (std::vector<double>{10, 0.1 * 10, 1.0 / 3}));
  EXPECT_EQ(table.rows[3], (std::vector<double>{25, 2.5, 1}));
  EXPECT_EQ(table.columns[2].units, "kg");
}

TEST_F(TextFiles, ResumeAddsColumnsAndKeepsThoseOfBefore) {
  {
    SeriesFile series(in("series.csv"), columns);
    for (const int step : {0, 10, 20}) series.append(step, {0.5 * step, 7});
  }
  const std::vector<SeriesColumn> others{{"p", "Pa"}, {"t", "s"}};
  {
    SeriesFile series(in("series.csv"), others, 10);
    series.append(15, {1e5, 7.5});
  }
  EXPECT_EQ(read_text_file(in("series.csv")),
            "step,p,t,mass\n# units: 1,Pa,s,kg\n0,nan,0,7\n10,nan,5,7\n15,100000,7.5,nan\n");
  SeriesFile series(in("series.csv"), columns, 15);
  series.append(20, {10, 8, 11, 9});
  EXPECT_EQ(read_text_file(in("series.csv")),
            "step,t,mass,p\n# units: 1,s,kg,Pa\n0,0,7,nan\n10,5,7,nan\n15,7.5,nan,100000\n"
            "20,10,8,nan\n20,11,9,nan\n");
}

TEST_F(TextFiles, ResumeGoesOnWithAColumnOfAFormerName) {
  {
    SeriesFile series(in("series.csv"), {{"t", "s"}, {"u_max", "m/s"}});
    series.append(0, {0, 7});
  }
  SeriesFile series(in("series.csv"), {{"t", "s"}, {"speed_max", "m/s", "u_max"}}, 0);
  series.append(1, {0.5, 8});
  EXPECT_EQ(read_text_file(in("series.csv")),
            "step,t,speed_max\n# units: 1,s,m/s\n0,0,7\n1,0.5,8\n");
}

TEST_F(TextFiles, ResumeInOtherUnitsChangesNothing) {
  {
    SeriesFile series(in("series.csv"), columns);
    series.append(0, {0, 1});
  }
  const std::string before = read_text_file(in("series.csv"));
  const std::vector<SeriesColumn> others{{"t", "s"}, {"mass", "mass"}};
  EXPECT_HAS(message_of(ErrorKind::io, [&] { SeriesFile(in("series.csv"), others, 0); }),
             "has the column mass in kg, and this run has it in mass");
  EXPECT_EQ(read_text_file(in("series.csv")), before);
  put_bytes(in("series.csv"), "step,t,mass\n# units: 1,s,kg\n0,0\n");
  EXPECT_HAS(message_of(ErrorKind::io, [&] { SeriesFile(in("series.csv"), columns, 0); }),
             "damaged line: 0,0");
}

TEST_F(TextFiles, ResumeWithoutAFileStartsOne) {
  SeriesFile series(in("series.csv"), columns, 20);
  EXPECT_EQ(read_series(in("series.csv")).rows.size(), 0u);
}

TEST_F(TextFiles, DamagedSeriesIsNamed) {
  put_bytes(in("series.csv"), "step,t\n# units: 1,s\n1,zero\n");
  EXPECT_HAS(message_of(ErrorKind::io, [&] { read_series(in("series.csv")); }), "1,zero");
  put_bytes(in("series.csv"), "step,t\n# units: 1,s\n1\n");
  EXPECT_HAS(message_of(ErrorKind::io, [&] { read_series(in("series.csv")); }), "damaged line: 1");
  for (const std::string step : {"-1", "1.5", "nan", "2888888888888888888888"}) {
    put_bytes(in("series.csv"), "step,t\n# units: 1,s\n" + step + ",0.5\n");
    EXPECT_HAS(message_of(ErrorKind::io, [&] { read_series(in("series.csv")); }),
               "damaged line: " + step + ",0.5");
  }
}

TEST_F(TextFiles, SeriesH5HoldsSeriesSpectraAndProfiles) {
  SeriesFile series(in("series.csv"), columns);
  for (const int step : {0, 10, 20}) series.append(step, {0.1 * step, 1.0 / 3 + step});
  SeriesFile spectra(in("spectra.csv"), spectrum);
  spectra.append(0, {0, 1, 0.5, 0, 2, 0.25});
  spectra.append(20, {2, 1, 0.75, 2, 2, 0.125});
  write_series_h5(folder);
  Hdf5File file = Hdf5File::open(in("series.h5"));
  std::vector<double> mass(3);
  file.root().open_dataset("mass").read(mass.data(), ElementType::float64);
  EXPECT_EQ(mass, (std::vector<double>{1.0 / 3, 1.0 / 3 + 10, 1.0 / 3 + 20}));
  EXPECT_EQ(file.root().open_dataset("mass").text("units"), "kg");
  std::vector<std::int64_t> steps(3);
  file.root().open_dataset("step").read(steps.data(), ElementType::int64);
  EXPECT_EQ(steps, (std::vector<std::int64_t>{0, 10, 20}));
  const Hdf5Group group = file.root().open_group("spectra");
  EXPECT_EQ(group.open_dataset("E").extents(), (Extents{2, 2}));
  std::vector<double> energy(4), k(2), t(2);
  group.open_dataset("E").read(energy.data(), ElementType::float64);
  group.open_dataset("k").read(k.data(), ElementType::float64);
  group.open_dataset("t").read(t.data(), ElementType::float64);
  EXPECT_EQ(energy, (std::vector<double>{0.5, 0.25, 0.75, 0.125}));
  EXPECT_EQ(k, (std::vector<double>{1, 2}));
  EXPECT_EQ(t, (std::vector<double>{0, 2}));
  const std::vector<std::string> groups = file.root().names();
  EXPECT_EQ(std::count(groups.begin(), groups.end(), "profiles"), 0);
  SeriesFile profiles(in("profiles.csv"), {{"t", "s"}, {"z", "m"}, {"mean", "K"}});
  profiles.append(20, {2, 0.25, 290, 2, 0.5, 300, 2, 0.75, 310});
  write_series_h5(folder);
  const Hdf5File again = Hdf5File::open(in("series.h5"));
  const Hdf5Group planes = again.root().open_group("profiles");
  std::vector<double> mean(3), z(3);
  planes.open_dataset("mean").read(mean.data(), ElementType::float64);
  planes.open_dataset("z").read(z.data(), ElementType::float64);
  EXPECT_EQ(mean, (std::vector<double>{290, 300, 310}));
  EXPECT_EQ(z, (std::vector<double>{0.25, 0.5, 0.75}));
  EXPECT_EQ(planes.open_dataset("mean").text("units"), "K");
  spectra.append(30, {3, 1, 0.75});
  EXPECT_HAS(message_of(ErrorKind::io, [&] { write_series_h5(folder); }),
             "spectra.csv: not every step has the same k");
  put_bytes(in("spectra.csv"), "step,E,t\n# units: 1,J,s\n1,2,3\n");
  EXPECT_HAS(message_of(ErrorKind::io, [&] { write_series_h5(folder); }), "has no column after t");
}

TEST_F(TextFiles, EmptySeriesIsStillAFile) {
  SeriesFile series(in("series.csv"), columns);
  SeriesFile spectra(in("spectra.csv"), spectrum);
  write_series_h5(folder);
  Hdf5File file = Hdf5File::open(in("series.h5"));
  EXPECT_EQ(file.root().open_dataset("t").extents(), (Extents{0}));
}

TEST_F(TextFiles, TelemetryLinesAreJson) {
  const std::string path = in("telemetry.jsonl");
  {
    Telemetry telemetry(path, {{"dt", "s"}}, {{"system", std::string("isothermal")}}, false);
    telemetry.record({{"step", std::int64_t{400}},
                      {"dt", 0.1},
                      {"power_w", {}},
                      {"mass", std::numeric_limits<double>::infinity()},
                      {"mem_gpu", std::vector<double>{1.5, 2}}});
  }
  put_bytes(path, bytes_of(path) + "{\"step\":40");  // killed here
  Telemetry telemetry(path, {{"dt", "s"}}, {}, true);
  telemetry.record({{"step", std::int64_t{401}}});
  std::istringstream text(bytes_of(path));
  std::vector<nlohmann::json> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(nlohmann::json::parse(line));
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0]["units"]["dt"], "s");
  EXPECT_EQ(lines[0]["header"]["system"], "isothermal");
  EXPECT_EQ(lines[1]["step"], 400);
  EXPECT_EQ(lines[1]["dt"].get<double>(), 0.1);
  EXPECT_TRUE(lines[1]["power_w"].is_null());
  EXPECT_TRUE(lines[1]["mass"].is_null());
  EXPECT_EQ(lines[1]["mem_gpu"].size(), 2u);
  EXPECT_EQ(lines[2]["step"], 401);
}

}  // namespace
}  // namespace watersmeet::io

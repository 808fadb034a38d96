// The table and the result file of `watersmeet bench` for a system that exists only here: labels
// become columns and keys, rates follow from what was measured, and earlier results are found
// again.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "bench/kernel_table.hpp"
#include "bench/published.hpp"
#include "bench/result_file.hpp"
#include "bench/table.hpp"
#include "core/error.hpp"
#include "support/temporary.hpp"

namespace watersmeet::bench::bench_test {
namespace {

systems::Bench sample_bench() {
  systems::Bench bench;
  bench.unit = "cell";
  bench.grids = {{32, 32, 32}, {64, 64, 64}};
  for (const char* precision : {"single", "double"}) {
    for (const char* model : {"plain", "with-source"}) {
      bench.variants.push_back({precision, {{"model", model}, {"limiter", "off"}}});
    }
  }
  bench.case_text = [](const systems::BenchVariant&, const Index3&) { return std::string(); };
  return bench;
}

BenchResult sample_result() {
  BenchResult r;
  r.row = {{64, 32, 16}, {"single", {{"model", "plain"}, {"limiter", "off"}}}};
  r.kernel.name = "marching";
  r.points = 64 * 32 * 16;
  r.variables = 7;
  r.stages = 3;
  r.ns_per_point_step = 1.5;
  r.bytes_per_point_step = 600;
  r.floor_ns = 0.3;
  r.flops_per_point_rhs = 2000;
  r.cells_of_first_rank = {64, 32, 16};
  r.split = {{"sweep", 4.0e-6, 8.0e6, 3, 6.4e7, 1e6}, {"finish", 1.0e-6, 0, 1}};
  r.roofline = {4e12, 20e12};
  return r;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(BenchRows, AreGridsTimesVariantsUnlessWordsLeaveSomeOut) {
  BenchOptions options;
  EXPECT_EQ(rows_of(sample_bench(), options).size(), 8u);
  options.cells = {"48x24x1"};
  options.precision = "double";
  std::vector<BenchRow> rows = rows_of(sample_bench(), options);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[1].cells, (Index3{48, 24, 1}));
  EXPECT_EQ(rows[1].variant.label("model"), "with-source");
  options.only = "off plain";
  rows = rows_of(sample_bench(), options);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].variant.label("model"), "plain");
  options.only = "model=plain limiter=off";
  EXPECT_EQ(rows_of(sample_bench(), options).size(), 1u);
  options.only = "limiter=plain";
  EXPECT_THROW(rows_of(sample_bench(), options), Error);
  EXPECT_THROW(rows[0].variant.label("storage"), Error);
}

TEST(BenchRows, AreLabelledByWhatSetGives) {
  systems::Bench bench = sample_bench();
  bench.fixed = {"initial"};
  BenchOptions options;
  options.only = "double plain";
  options.cells = {"32"};
  options.set = {"numerics.limiter = \"minmod\"", "device.overlap=off"};
  std::vector<BenchRow> rows = rows_of(bench, options);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].variant.label("limiter"), "minmod");
  EXPECT_EQ(rows[0].variant.label("model"), "plain");
  // What were two models is one; the words of a row are those before and after.
  options.only = "minmod";
  options.set.push_back("physics.model=third");
  options.set.push_back("numerics.precision='single'");
  rows = rows_of(bench, options);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].variant.label("model"), "third");
  EXPECT_EQ(rows[0].variant.precision, "single");
  for (const char* const set : {"grid.cells=[8,8,8]", "initial=[]", "initial.shape=\"box\""}) {
    options.set = {set};
    EXPECT_THROW(rows_of(bench, options), Error) << set;
  }
}

TEST(BenchRows, OfASystemOfPlanesHaveOneCellAlongZWhereNoThirdNumberIsGiven) {
  systems::Bench bench = sample_bench();
  BenchOptions options;
  options.only = "double plain";
  options.cells = {"4096x512"};
  EXPECT_THROW(rows_of(bench, options), Error);  // a box needs its third number
  bench.grids.push_back({64, 64, 1});
  options.cells = {"4096x512", "256", "64x64x6"};
  const std::vector<BenchRow> rows = rows_of(bench, options);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].cells, (Index3{4096, 512, 1}));
  EXPECT_EQ(rows[1].cells, (Index3{256, 256, 1}));
  EXPECT_EQ(rows[2].cells, (Index3{64, 64, 6}));
  options.cells = {"4x4x4x4"};
  EXPECT_THROW(rows_of(bench, options), Error);
}

TEST(BenchRows, WithGridsOfTheirOwnComeOnceAndNotWhenGridsAreAsked) {
  systems::Bench bench = sample_bench();
  bench.variants.push_back({"double", {{"model", "section"}, {"limiter", "off"}}, {900, 1, 1}});
  BenchOptions options;
  std::vector<BenchRow> rows = rows_of(bench, options);
  ASSERT_EQ(rows.size(), 9u);
  EXPECT_EQ(rows.back().cells, (Index3{900, 1, 1}));
  EXPECT_EQ(rows.back().variant.label("model"), "section");
  options.only = "section";
  EXPECT_EQ(rows_of(bench, options).size(), 1u);
  options.cells = {"16"};
  options.only = "";
  EXPECT_EQ(rows_of(bench, options).size(), 4u);
}

TEST(BenchRows, OfAVariantAreOnTheGridsThatHaveIt) {
  systems::Bench bench = sample_bench();
  bench.on_grid = [](const systems::BenchVariant& variant, const Index3& cells) {
    return cells[0] < 32 || variant.label("model") == "plain";
  };
  BenchOptions options;
  options.cells = {"16", "32"};
  EXPECT_EQ(rows_of(bench, options).size(), 6u);
}

TEST(BenchRows, WordsThatNoRowHasAreRefusedWithThoseThereAre) {
  BenchOptions options;
  options.only = "single plan";
  try {
    rows_of(sample_bench(), options);
    ADD_FAILURE() << "no row was left, and nobody said so";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::user_input);
    const std::string text = error.what();
    EXPECT_NE(text.find("did you mean `plain`?"), std::string::npos) << text;
    EXPECT_NE(text.find("single, plain, off, with-source, double"), std::string::npos) << text;
  }
}

TEST(BenchTable, HasAColumnForEachLabel) {
  const std::vector<BenchRow> rows = rows_of(sample_bench(), {});
  BenchTable table("cell", rows, "", true);
  const std::vector<std::string> lines = lines_of(table.row(sample_result(), 3.0));
  ASSERT_EQ(lines.size(), 2u);
  for (const char* column : {"model", "limiter", "ns/cell", "ns/rhs", "Gflop/s", "against before"})
    EXPECT_NE(lines[0].find(column), std::string::npos) << column << " in: " << lines[0];
  // 1.5 ns a step of 3 stages; 2000 flop in 0.5 ns; a fifth of the time would do; twice as fast.
  for (const char* number :
       {"64x32x16", "plain", "1.5000", "0.5000", "4000.0", "20.0 %", "+100.0 %"})
    EXPECT_NE(lines[1].find(number), std::string::npos) << number << " in: " << lines[1];
  EXPECT_EQ(lines[0].find("limiter"), lines[1].find("off"));
  EXPECT_EQ(lines_of(table.row(sample_result())).size(), 1u);  // the heading stands once
}

TEST(BenchTable, HasAColumnForRatiosOfRowsInTurn) {
  BenchResult r = sample_result();
  BenchTable table("cell", {r.row, r.row}, "steps_per_cycle", false);
  std::vector<std::string> lines = lines_of(table.row(r));
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].size(), lines[1].size());
  EXPECT_TRUE(lines[0].ends_with(" steps_per_cycle")) << lines[0];
  EXPECT_TRUE(lines[1].ends_with("   -")) << lines[1];
  r.ratio_name = "steps_per_cycle";
  r.ratio = {2.6789, 0.0123};
  lines = lines_of(table.row(r));
  EXPECT_TRUE(lines[0].ends_with(" 2.679 (1.2 %)")) << lines[0];
}

// What stands below a heading, which ends where its column does. Percent signs follow a space.
std::string below(const std::string& heading, const std::string& column, const std::string& line) {
  const std::size_t at = heading.find(" " + column);
  if (at == std::string::npos) return "no column " + column;
  const std::string cell = line.substr(0, at + 1 + column.size());
  const std::size_t before = cell.find_last_of(' ', cell.size() - (cell.back() == '%' ? 3 : 1));
  return before == std::string::npos ? cell : cell.substr(before + 1);
}

TEST(KernelTable, TellsTimesBytesOperationsAndTheRoofline) {
  const std::vector<std::string> lines = lines_of(kernel_table(sample_result(), "cell"));
  ASSERT_EQ(lines.size(), 6u);  // title, heading, two kernels, what is beside them, the whole
  EXPECT_EQ(lines[0], "64x32x16 single plain off");
  const auto expect = [&](int line, const char* column, const char* value) {
    EXPECT_EQ(below(lines[1], column, lines[static_cast<std::size_t>(line)]), value)
        << column << " of: " << lines[static_cast<std::size_t>(line)];
  };
  // A step takes 1.5 ns * 32768 = 49.152 us: 3 x 4 us are 24.4 %. 8 MB in 4 us are 2 TB/s, half of
  // the bandwidth; 64 Mflop in 4 us are 16 Tflop/s, four fifths of the peak: at 8 flop/B the peak
  // bounds the kernel, 3.2 us to its 4. 32768 cells.
  expect(2, "launches", "3");
  expect(2, "ms", "0.0040");
  expect(2, "of step", "24.4 %");
  expect(2, "B/cell", "244.1");
  expect(2, "flop/cell", "1953.1");
  expect(2, "flop/B", "8.00");
  expect(2, "GB/s", "2000.0");
  expect(2, "of copy", "50.0 %");
  expect(2, "Gflop/s", "16000.0");
  expect(2, "of peak", "80.0 %");
  expect(2, "of roofline", "80.0 %");
  // Nothing is known of the other kernel but its time.
  expect(3, "of step", "2.0 %");
  for (const char* column : {"B/cell", "flop/B", "GB/s", "of peak", "of roofline"})
    expect(3, column, "-");
  expect(4, "of step", "73.6 %");  // 49.152 - 3 * 4 - 1 us
  // Three stages in 49.152 us move 24 MB and do 192 Mflop, for which 9.6 us would do.
  expect(5, "launches", "3");
  expect(5, "ms", "0.0164");
  expect(5, "B/cell", "244.1");
  expect(5, "of roofline", "19.5 %");
}

TEST(KernelTable, HasNoSharesOfWhatIsNotKnown) {
  BenchResult r = sample_result();
  r.roofline.peak = 0;
  std::vector<std::string> lines = lines_of(kernel_table(r, "cell"));
  EXPECT_EQ(lines[1].find("of peak"), std::string::npos) << lines[1];
  EXPECT_EQ(lines[1].find("of roofline"), std::string::npos) << lines[1];
  EXPECT_EQ(below(lines[1], "Gflop/s", lines[2]), "16000.0") << lines[2];
  for (exec::KernelTime& k : r.split) k.flops = 0;
  lines = lines_of(kernel_table(r, "point"));
  EXPECT_EQ(lines[1].find("flop"), std::string::npos) << lines[1];
  EXPECT_EQ(below(lines[1], "of copy", lines[2]), "50.0 %") << lines[2];
  r.split.clear();
  EXPECT_EQ(kernel_table(r, "cell"), "");
}

TEST(Roofline, IsTheSlowerOfMovingAndComputing) {
  const Roofline both{4e12, 20e12}, memory{4e12, 0};
  EXPECT_DOUBLE_EQ(both.seconds(8e6, 1e6), 2e-6);
  EXPECT_DOUBLE_EQ(both.seconds(8e6, 6.4e7), 3.2e-6);
  EXPECT_DOUBLE_EQ(memory.seconds(8e6, 6.4e7), 2e-6);
  EXPECT_TRUE(both.complete());
  EXPECT_FALSE(memory.complete());
}

TEST(BenchTable, LeavesOutWhatASystemDoesNotTell) {
  BenchResult r = sample_result();
  r.flops_per_point_rhs = 0;
  BenchTable table("point", {r.row}, "", false);
  const std::string text = table.row(r);
  EXPECT_EQ(text.find("Gflop/s"), std::string::npos) << text;
  EXPECT_EQ(text.find("before"), std::string::npos) << text;
}

TEST(BenchResultFile, HoldsLabelsRatesAndKernels) {
  const auto document =
      nlohmann::json::parse(result_json("sample", "cell", {}, 2, {sample_result()}, "bench", 1));
  EXPECT_EQ(document["benchmark"], "sample");
  EXPECT_EQ(document["ranks"], 2);
  const auto& row = document["rows"].at(0);
  EXPECT_EQ(row["model"], "plain");
  EXPECT_EQ(row["limiter"], "off");
  EXPECT_EQ(row["stages"], 3);
  EXPECT_EQ(row["variables"], 7);
  EXPECT_DOUBLE_EQ(row["ns_per_point_rhs"].get<double>(), 0.5);
  EXPECT_DOUBLE_EQ(row["flops_per_point_rhs"].get<double>(), 2000);
  EXPECT_DOUBLE_EQ(row["gigaflops"].get<double>(), 4000);
  EXPECT_DOUBLE_EQ(row["share_of_floor"].get<double>(), 0.2);
  ASSERT_EQ(row["kernels"].size(), 2u);
  EXPECT_EQ(row["kernels"][0]["name"], "sweep");
  const auto& sweep = row["kernels"][0];
  const std::pair<const char*, double> expected[] = {{"seconds", 4e-6},
                                                     {"launches_per_step", 3},
                                                     {"bytes", 8e6},
                                                     {"share_of_step", 12 / 49.152},
                                                     {"flops", 6.4e7},
                                                     {"share_of_copy_bandwidth", 0.5},
                                                     {"gigaflops", 16000},
                                                     {"reciprocals_and_roots", 1e6},
                                                     {"flops_per_byte", 8},
                                                     {"share_of_peak", 0.8},
                                                     {"roofline_seconds", 3.2e-6},
                                                     {"share_of_roofline", 0.8}};
  for (const auto& [key, value] : expected)
    EXPECT_NEAR(sweep[key].get<double>() / value, 1, 1e-12) << key;
  EXPECT_FALSE(row["kernels"][1].contains("flops"));
  EXPECT_DOUBLE_EQ(row["peak_flops_per_s"].get<double>(), 20e12);
  EXPECT_FALSE(row.contains("steps_per_cycle"));

  BenchResult in_turn = sample_result();
  in_turn.ratio_name = "steps_per_cycle";
  in_turn.ratio = {2.5, 0.125};
  const auto third = nlohmann::json::parse(result_json("sample", "cell", {}, 1, {in_turn}, "", -1));
  EXPECT_EQ(third["rows"][0]["steps_per_cycle"], 2.5);
  EXPECT_EQ(third["rows"][0]["steps_per_cycle_spread"], 0.125);

  BenchResult bare = sample_result();
  bare.flops_per_point_rhs = 0;
  bare.split.clear();
  bare.roofline = {};
  const auto other = nlohmann::json::parse(result_json("sample", "cell", {}, 1, {bare}, "", -1));
  for (const char* key : {"gigaflops", "flops_per_point_rhs", "kernels", "peak_flops_per_s"})
    EXPECT_FALSE(other["rows"][0].contains(key)) << key;
}

class BenchFile : public Folder {};

TEST_F(BenchFile, IsFoundAgainByGridAndEveryText) {
  const std::string path = in("old.json");
  BenchResult other = sample_result();
  other.row.variant.labels[0].second = "with-source";
  other.ns_per_point_step = 9;
  std::ofstream(path) << result_json("sample", "cell", {}, 1, {other, sample_result()}, "", 1);
  const EarlierResults earlier(path);
  EXPECT_FALSE(earlier.empty());
  EXPECT_EQ(earlier.ns_of(sample_result()), 1.5);
  EXPECT_EQ(earlier.ns_of(other), 9.0);
  BenchResult unknown = sample_result();
  unknown.row.cells[0] = 65;
  EXPECT_FALSE(earlier.ns_of(unknown));
  unknown = sample_result();
  unknown.row.variant.labels.emplace_back("schedule", "ring");  // the file is older than this label
  EXPECT_EQ(earlier.ns_of(unknown), 1.5);
  unknown.kernel.name = "direct";
  EXPECT_FALSE(earlier.ns_of(unknown));

  // The fastest of them, whatever its kernel and other labels.
  const Index3 cells = sample_result().row.cells;
  EXPECT_EQ(earlier.fastest_ns(cells, "single", "limiter", "off"), 1.5);
  EXPECT_EQ(earlier.fastest_ns(cells, "single", "model", "with-source"), 9.0);
  EXPECT_FALSE(earlier.fastest_ns(cells, "double", "limiter", "off"));
  EXPECT_FALSE(earlier.fastest_ns({1, 1, 1}, "single", "limiter", "off"));

  for (const char* text : {"", "{", "[]", "{\"rows\": 3}", "{\"rows\": [3]}", "{\"rows\": [{}]}",
                           "{\"rows\": [{\"cells\": [1], \"ns_per_point_step\": \"x\"}]}"}) {
    std::ofstream(path) << text;
    try {
      EarlierResults{path};
      ADD_FAILURE() << "taken for a result: " << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::user_input);
    }
  }
  EXPECT_THROW(EarlierResults{in("absent.json")}, Error);
}

// 64 x 32 x 16 cells in 1.5 ns each are 0.0492 ms a step, in 9 ns 0.295 ms.
TEST_F(BenchFile, StandsBesideWhatAPublicationTimed) {
  const systems::Published paper{
      "A paper", "single", "limiter", {{{64, 32, 16}, 12, 4}, {{128, 64, 32}, 90, 10}}};
  const auto words = [](const std::string& line) {
    std::istringstream stream(line);
    return std::vector<std::string>{std::istream_iterator<std::string>(stream), {}};
  };
  using Words = std::vector<std::string>;
  BenchResult slower = sample_result();
  slower.row.variant.labels[0].second = "with-source";
  slower.ns_per_point_step = 9;
  // Alone: the other column is open.
  std::vector<std::string> lines =
      lines_of(published_table(paper, {slower, sample_result()}, true, {}));
  ASSERT_EQ(lines.size(), 3u);  // the grid that was not measured has no row
  EXPECT_EQ(lines[0], "A paper, ms a step, single precision");
  EXPECT_EQ(words(lines[2]), (Words{"64x32x16", "off", "-", "0.0492", "-", "12", "4", "3"}));
  // On the CPU, with a GPU's result.
  std::ofstream(in("gpu.json")) << result_json("sample", "cell", {}, 1, {sample_result()}, "", 1);
  lines = lines_of(published_table(paper, {slower}, false, EarlierResults(in("gpu.json"))));
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(words(lines[2]), (Words{"64x32x16", "off", "0.295", "0.0492", "6", "12", "4", "3"}));
  // There is no table for another precision, nor for a system without a publication.
  slower.row.variant.precision = "double";
  EXPECT_EQ(published_table(paper, {slower}, true, {}), "");
  EXPECT_EQ(published_table({}, {sample_result()}, true, {}), "");
}

}  // namespace
}  // namespace watersmeet::bench::bench_test

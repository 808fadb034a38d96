// The table and the result file of `watersmeet bench` for a system that exists only here: labels
// become columns and keys, rates follow from what was measured, and earlier results are found
// again.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/error.hpp"
#include "run/bench/result_file.hpp"
#include "run/bench/table.hpp"
#include "temporary.hpp"

namespace watersmeet::run {
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
  r.split = {{"sweep", 4.0e-6, 8.0e6, 3}, {"finish", 1.0e-6, 0, 1}};
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
  EXPECT_THROW(rows[0].variant.label("storage"), Error);
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

TEST(BenchTable, HasAColumnForEachLabelAndTheTimeOfEachKernel) {
  const std::vector<BenchRow> rows = rows_of(sample_bench(), {});
  BenchTable table("cell", rows, true);
  const std::vector<std::string> lines = lines_of(table.row(sample_result(), 3.0));
  ASSERT_EQ(lines.size(), 4u);
  for (const char* column : {"model", "limiter", "ns/cell", "ns/rhs", "Gflop/s", "against before"})
    EXPECT_NE(lines[0].find(column), std::string::npos) << column << " in: " << lines[0];
  // 1.5 ns a step of 3 stages; 2000 flop in 0.5 ns; a fifth of the time would do; twice as fast.
  for (const char* number :
       {"64x32x16", "plain", "1.5000", "0.5000", "4000.0", "20.0 %", "+100.0 %"})
    EXPECT_NE(lines[1].find(number), std::string::npos) << number << " in: " << lines[1];
  EXPECT_EQ(lines[0].find("limiter"), lines[1].find("off"));
  // A step takes 1.5 ns * 32768 = 49.152 us: 3 x 4 us are 24.4 %, and 8 MB in 4 us are 2 TB/s.
  EXPECT_NE(lines[2].find("24.4 %"), std::string::npos) << lines[2];
  EXPECT_NE(lines[2].find("2000 GB/s"), std::string::npos) << lines[2];
  EXPECT_NE(lines[3].find("2.0 %"), std::string::npos) << lines[3];
  EXPECT_EQ(lines[3].find("GB/s"), std::string::npos) << lines[3];
  EXPECT_EQ(lines_of(table.row(sample_result())).size(), 3u);  // the heading stands once
}

TEST(BenchTable, LeavesOutWhatASystemDoesNotTell) {
  BenchResult r = sample_result();
  r.flops_per_point_rhs = 0;
  r.split.clear();
  BenchTable table("point", {r.row}, false);
  const std::string text = table.row(r);
  EXPECT_EQ(lines_of(text).size(), 2u);
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
  EXPECT_DOUBLE_EQ(row["kernels"][0]["bytes"].get<double>(), 8e6);

  BenchResult bare = sample_result();
  bare.flops_per_point_rhs = 0;
  bare.split.clear();
  const auto other = nlohmann::json::parse(result_json("sample", "cell", {}, 1, {bare}, "", -1));
  for (const char* key : {"gigaflops", "flops_per_point_rhs", "kernels"})
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

}  // namespace
}  // namespace watersmeet::run

#include "io/table_file.hpp"

#include <algorithm>
#include <cmath>

#include "io/hdf5_file.hpp"
#include "support/temporary.hpp"

using namespace watersmeet;
using namespace watersmeet::io;
using config::Table;
using config::TableSource;

namespace {

class TableFile : public Folder {
 protected:
  // Of 2 x 3 x 4 numbers 100 z + 10 y + x, vectors of them and of -1 times them, a map with a time,
  // packed numbers, and coordinates as scales, by their names or missing.
  TableFile() : path(in("fields.h5")) {
    Hdf5File file = Hdf5File::create(path);
    Hdf5Group& root = file.root();
    Hdf5Dataset time = root.create_dataset("time", std::vector<double>{7});
    Hdf5Dataset deep = root.create_dataset("deep", std::vector<double>{0, 1});
    Hdf5Dataset north = root.create_dataset("north", std::vector<double>{2, 1, 0});
    Hdf5Dataset east = root.create_dataset("east", std::vector<double>{0, 1, 2, 3});
    Hdf5Dataset component = root.create_dataset("component", std::vector<std::int64_t>{0, 1});
    for (Hdf5Dataset* scale : {&time, &deep, &north, &east, &component}) scale->make_scale("");
    std::vector<double> numbers, vectors;
    for (const double z : {0, 1}) {
      for (const double y : {2, 1, 0}) {
        for (const double x : {0, 1, 2, 3}) {
          numbers.push_back(100 * z + 10 * y + x);
          vectors.insert(vectors.end(), {numbers.back(), -numbers.back()});
        }
      }
    }
    add(root, "box", {2, 3, 4}, numbers, {&deep, &north, &east});
    add(root, "wind", {2, 3, 4, 2}, vectors, {&deep, &north, &east, &component});
    add(root, "map", {1, 3, 4}, numbers, {&time, &north, &east});
    add(root, "bare", {3, 4}, numbers, {});
    add(root, "row", {4}, numbers, {&east});
    add(root, "packed", {4}, numbers, {&east}).set("scale_factor", 2.0);
    root.open_dataset("packed").set("add_offset", -1.0);
    add(root, "gap", {4}, numbers, {&east}).set("_FillValue", 22.0);
    add(root, "one", {1, 1}, numbers, {});
    Hdf5Group beside = root.create_group("beside");
    add(beside, "bare", {3, 4}, numbers, {});
    beside.create_dataset("x", std::vector<double>{0, 2, 4, 6});
    beside.create_dataset("y", std::vector<double>{2, 1, 0});
    add(beside, "row", {3}, {1, 2, 3}, {});
    file.finish();
  }

  static Hdf5Dataset add(Hdf5Group& group, const std::string& name, const Extents& extents,
                         const std::vector<double>& numbers,
                         const std::vector<Hdf5Dataset*>& scales) {
    Hdf5Dataset dataset = group.create_dataset(name, ElementType::float64, extents);
    dataset.write(numbers.data(), ElementType::float64);
    for (std::size_t a = 0; a < scales.size(); ++a)
      dataset.attach_scale(static_cast<int>(a), *scales[a]);
    return dataset;
  }

  Table table(const std::string& field, std::optional<std::size_t> component = {},
              std::vector<double> periods = {}) const {
    return read_table({path, field, component, std::move(periods)});
  }
  std::string refusal(const std::string& field, std::optional<std::size_t> component = {},
                      std::vector<double> periods = {}) const {
    return message_of(ErrorKind::user_input, [&] { table(field, component, std::move(periods)); });
  }

  const std::string path;
};

double at(const Table& table, std::vector<double> place) {
  EXPECT_EQ(table.arguments(), place.size());
  return table.at(place.data());
}

}  // namespace

TEST_F(TableFile, TheLastAxisIsTheFirstArgument) {
  EXPECT_DOUBLE_EQ(at(table("box"), {2.5, 0.5, 0.25}), 25 + 5 + 2.5);
  EXPECT_DOUBLE_EQ(at(table("row"), {1.5}), 21.5);
}

TEST_F(TableFile, TimesOfOneEntryAreNoArguments) {
  EXPECT_DOUBLE_EQ(at(table("map"), {3, 1.5}), 18);
}

TEST_F(TableFile, AComponentOfVectorsIsPicked) {
  EXPECT_DOUBLE_EQ(at(table("wind", 0), {1, 2, 1}), 121);
  EXPECT_DOUBLE_EQ(at(table("wind", 1), {1, 2, 1}), -121);
}

TEST_F(TableFile, CoordinatesMayStandBesideTheFieldByTheirNames) {
  EXPECT_DOUBLE_EQ(at(table("beside/bare"), {5, 1}), 12.5);
}

TEST_F(TableFile, PackedNumbersAreUnpacked) {
  EXPECT_DOUBLE_EQ(at(table("packed"), {3}), 2 * 23 - 1);
}

TEST_F(TableFile, PeriodsBelongToArguments) {
  EXPECT_DOUBLE_EQ(at(table("map", {}, {4, 0}), {3.5, 0}), 1.5);  // halfway from 3 to 0
}

TEST_F(TableFile, SaysWhatIsWrong) {
  EXPECT_HAS(refusal("bed"), "no field `bed` in " + path + "; it holds ");
  EXPECT_HAS(refusal("bed"), "north");
  EXPECT_HAS(refusal("bare"), path + ": axis 1 (from 0) of `bare`, with 4 entries, has no coord");
  EXPECT_HAS(refusal("bare"),
             "Attach a dimension scale to it, or write a dataset `x` of 4 numbers");
  EXPECT_HAS(refusal("beside/row"), path + ": axis 0 (from 0) of `beside/row` has 3 entries; its");
  EXPECT_HAS(refusal("beside/row"),
             "its coordinates `beside/x` are 4 numbers, and must be as many");
  EXPECT_HAS(refusal("wind"), "is 2 x 3 x 4 x 2; a table has one to three axes");
  EXPECT_HAS(refusal("wind"), "choose one component: component = 0");
  EXPECT_HAS(refusal("wind", 2), "no component 2 in `wind`, which is 2 x 3 x 4 x 2");
  EXPECT_HAS(refusal("one"), "`one` is 1 x 1; a table has one to three axes of two or more");
  EXPECT_HAS(refusal("gap"), "not finite or missing: 1 of 4 numbers");
  EXPECT_HAS(refusal("map", {}, {360}), "period has 1 number; `map` has 2 arguments");
  put_bytes(in("old.nc"), "CDF\x01 and so on");
  EXPECT_HAS(message_of(ErrorKind::user_input,
                        [&] {
                          read_table({in("old.nc"), "z", {}, {}});
                        }),
             "classic netCDF file; only netCDF-4 can be read. Convert it: nccopy -k nc4");
  EXPECT_HAS(message_of(ErrorKind::io,
                        [&] {
                          read_table({in("none.nc"), "z", {}, {}});
                        }),
             "No such file");
}

#include "io/table_file.hpp"

#include "io/hdf5_file.hpp"
#include "support/temporary.hpp"

using namespace watersmeet;
using namespace watersmeet::io;
using config::Table;
using config::TableSource;

namespace {

class TableFile : public Folder {
 protected:
  // Tables of 2 x 3 x 4 numbers 100 z + 10 y + x, vectors of them and of -1 times them, a map with a time,
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

namespace {
class ColumnFile : public Folder {
 protected:
  TableSource source(const std::string& text, const std::string& field,
                     const std::string& over = "") {
    put_bytes(in("sounding.txt"), text);
    TableSource s{in("sounding.txt"), field, {}, {}};
    s.over = over;
    return s;
  }
  std::string refusal(const std::string& text, const std::string& field,
                      const std::string& over = "") {
    return message_of(ErrorKind::user_input, [&] { read_table(source(text, field, over)); });
  }
  static double at(const Table& table, double x) { return table.at(&x); }
};
}  // namespace

TEST_F(ColumnFile, ColumnsAreCalledByNamesAndNumbers) {
  const std::string text =
      "# of Lindenberg\n"
      "PRES HGHT TEMP\n"
      "hPa  m    C\n"
      "--------------\n"
      "1000  100 15.5\n"
      "\n"
      " 900  1000 nan\n"
      " 850  1400 7\r\n"
      "+700  3e3 -3.5\n";
  const Table by_name = read_table(source(text, "TEMP", "HGHT"));
  EXPECT_EQ(by_name.axis(0).at, (std::vector<double>{100, 1400, 3000}));
  EXPECT_EQ(by_name.values(), (std::vector<double>{15.5, 7, -3.5}));
  EXPECT_EQ(at(by_name, 750), 0.5 * (15.5 + 7));
  EXPECT_EQ(at(by_name, 0), 15.5);
  EXPECT_EQ(at(read_table(source(text, "3", "2")), 3000), -3.5);
  EXPECT_EQ(at(read_table(source(text, "C", "m")), 3000), -3.5);  // any line of as many words
  EXPECT_EQ(at(read_table(source(text, "HGHT")), 700), 3000);     // over the first column, falling
  TableSource converted = source(text, "TEMP", "PRES");
  converted.unit = "degC";
  converted.over_unit = "hPa";
  EXPECT_DOUBLE_EQ(at(read_table(converted), 85000), 280.15);
  EXPECT_EQ(at(read_table(source("\"a b\",c\n1,2\n3,4\n", "a b", "c")), 4), 3);
  EXPECT_EQ(at(read_table(source("1;2\n3;4\n", "2")), 3), 4);
  EXPECT_EQ(at(read_table(source("#x\ty\n1\t2\n# between\n3\t4\n", "y")), 3), 4);
}

TEST_F(ColumnFile, SaysWhatIsWrong) {
  const std::string file = in("sounding.txt"), good = "z T\n0 300\n1 301\n";
  EXPECT_EQ(refusal(good, "theta"), "no column `theta` in " + file + "; its columns are z, T");
  EXPECT_EQ(refusal(good, "3"), "no column 3 in " + file + ", which has 2");
  EXPECT_EQ(refusal(good, "0"), "no column 0 in " + file + ", which has 2");
  EXPECT_EQ(refusal("0 300\n1 301\n", "T"),
            "no column `T` in " + file +
                "; no line above its rows has 2 words; call a column by its number, 1 to 2");
  EXPECT_EQ(refusal(good, "z"),
            "column 1 of " + file + " is both the argument and the values of the table");
  EXPECT_EQ(refusal(good + "2 302 9\n", "T"),
            file + ", line 4: 3 numbers stand where the rows above have 2 numbers");
  EXPECT_EQ(refusal(good + "missing\n2 302\n", "T"),
            file + ", line 4: `missing` stands where the rows above have 2 numbers");
  EXPECT_EQ(refusal("z T\n0 300\n1 nan\n", "T"),
            file + " has 1 row of numbers; a table needs two or more");
  EXPECT_EQ(refusal("nothing but words\n", "T"), file + ": no line of it is a row of numbers");
  EXPECT_HAS(refusal("z T\n0 300\n1 301\n1 302\n", "T"),
             "coordinates of the first argument: 1 is followed by 1");
  TableSource vector = source(good, "T");
  vector.component = 0;
  EXPECT_HAS(message_of(ErrorKind::user_input, [&] { read_table(vector); }), "remove `component`");
}

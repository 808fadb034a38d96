// Snapshots: layout as promised to VTK, netCDF and plain HDF5 readers; index files; unfinished
// files vanish.
#include "io/snapshot.hpp"

#include "io/atomic_file.hpp"
#include "io/hdf5_file.hpp"
#include "io/run_directory.hpp"
#include "io/xdmf.hpp"
#include "support/temporary.hpp"

namespace watersmeet::io {
namespace {

class Snapshots : public Folder {
 protected:
  Snapshots() {
    grid.n = {3, 2, 4};
    grid.lower = {-1, 0, 10};
    grid.spacing = {0.5, 0.25, 2};
    grid.length_units = "m";
    grid.time_units = "s";
    for (int v = 0; v < 24; ++v) rho.push_back(v + 0.1);
    for (int v = 0; v < 72; ++v) velocity.push_back(static_cast<float>(v) * 0.1f);
    fields = {{"rho", "density", "kg m-3", "air_density", 1, Precision::double_, rho.data()},
              {"velocity", "velocity", "m s-1", "", 3, Precision::single_, velocity.data()}};
    provenance.program = "watersmeet";
    provenance.version = "0.1.0";
  }
  void write(std::int64_t step, const std::string& precision = "") {
    write_snapshot(snapshot_path(folder, step), grid, 0.1 * static_cast<double>(step), step, 0.1, 1,
                   fields, provenance, precision, whole_share(grid.n));
  }

  SnapshotGrid grid;
  std::vector<double> rho;
  std::vector<float> velocity;
  std::vector<SnapshotField> fields;
  Provenance provenance;
};

TEST_F(Snapshots, ValuesAndImageAttributes) {
  write(7);
  EXPECT_EQ(names(), std::vector<std::string>{"fields_000007.vtkhdf"});
  Hdf5File file = Hdf5File::open(in("fields_000007.vtkhdf"));
  const Hdf5Group vtk = file.root().open_group("VTKHDF");
  EXPECT_EQ(vtk.text("Type"), "ImageData");
  EXPECT_EQ(vtk.integers("Version"), (std::vector<std::int64_t>{2, 2}));
  EXPECT_EQ(vtk.integers("WholeExtent"), (std::vector<std::int64_t>{0, 3, 0, 2, 0, 4}));
  EXPECT_EQ(vtk.reals("Origin"), (std::vector<double>{-1, 0, 10}));
  EXPECT_EQ(vtk.reals("Spacing"), (std::vector<double>{0.5, 0.25, 2}));
  const Hdf5Group cells = vtk.open_group("CellData");
  EXPECT_EQ(cells.names(), (std::vector<std::string>{"rho", "velocity"}));
  EXPECT_EQ(cells.open_dataset("rho").text("Attribute"), "Scalars");
  EXPECT_EQ(cells.open_dataset("velocity").text("Attribute"), "Vectors");
  const Hdf5Dataset stored = cells.open_dataset("velocity");
  EXPECT_EQ(stored.type(), ElementType::float32);
  EXPECT_EQ(stored.extents(), (Extents{4, 2, 3, 3}));
  std::vector<float> values(72);
  stored.read(values.data(), ElementType::float32);
  EXPECT_EQ(values, velocity);
  std::vector<double> density(24);
  file.root().open_dataset("rho").read(density.data(), ElementType::float64);
  EXPECT_EQ(density, rho);
  std::vector<double> x(3);
  file.root().open_dataset("x").read(x.data(), ElementType::float64);
  EXPECT_EQ(x, (std::vector<double>{-0.75, -0.25, 0.25}));
}

// Along z uneven, along x and y not: faces of all three in the file, true centres, and the mean in
// what knows even cells alone.
TEST_F(Snapshots, UnevenCellsKeepTheirFaces) {
  grid.faces[2] = {10, 11, 13, 17, 18};
  write(1);
  Hdf5File file = Hdf5File::open(in("fields_000001.vtkhdf"));
  const auto numbers = [&](const char* name, std::size_t count) {
    std::vector<double> values(count);
    file.root().open_dataset(name).read(values.data(), ElementType::float64);
    return values;
  };
  EXPECT_EQ(numbers("z", 4), (std::vector<double>{10.5, 12, 15, 17.5}));
  EXPECT_EQ(numbers("z_faces", 5), grid.faces[2]);
  EXPECT_EQ(numbers("x", 3), (std::vector<double>{-0.75, -0.25, 0.25}));
  EXPECT_EQ(numbers("x_faces", 4), (std::vector<double>{-1, -0.5, 0, 0.5}));
  EXPECT_TRUE(file.root().open_dataset("z_faces").has("uneven"));
  EXPECT_FALSE(file.root().open_dataset("x_faces").has("uneven"));
  EXPECT_EQ(file.root().open_group("VTKHDF").reals("Spacing"), (std::vector<double>{0.5, 0.25, 2}));

  const SnapshotSummary read = read_snapshot_summary(in("fields_000001.vtkhdf"));
  const SnapshotSummary told = summarise(in("fields_000001.vtkhdf"), grid, 0.1, 1, fields);
  EXPECT_EQ(read.faces, told.faces);
  EXPECT_TRUE(uneven(read));
  write_xdmf(folder, {read});
  const std::string xmf = bytes_of(in("fields.xmf"));
  EXPECT_HAS(xmf, "<Topology TopologyType=\"3DRectMesh\" Dimensions=\"5 3 4\"/>");
  EXPECT_HAS(xmf, "<Geometry GeometryType=\"VXVYVZ\">");
  // In the order of the axes, unlike the numbers of points.
  const auto place = [&](const char* text) { return xmf.find(text); };
  EXPECT_LT(place("Dimensions=\"4\">fields_000001.vtkhdf:/x_faces"),
            place("Dimensions=\"3\">fields_000001.vtkhdf:/y_faces"));
  EXPECT_LT(place("Dimensions=\"3\">fields_000001.vtkhdf:/y_faces"),
            place("Dimensions=\"5\">fields_000001.vtkhdf:/z_faces"));
  EXPECT_NE(place("Dimensions=\"5\">fields_000001.vtkhdf:/z_faces"), std::string::npos);

  // A series has one grid.
  EXPECT_TRUE(write_series_vtkhdf(folder));
  {
    const Hdf5File series = Hdf5File::open(in("series.vtkhdf"));
    EXPECT_TRUE(series.root().open_dataset("z_faces").has("uneven"));
  }
  grid.faces[2] = {10, 12, 13, 17, 18};
  write(2);
  EXPECT_HAS(message_of(ErrorKind::io, [&] { write_series_vtkhdf(folder); }), "different grids");
}

TEST_F(Snapshots, NodesOfAPeriodicSystemAreCellCentres) {
  grid.cell_offset = 0;
  write(1);
  Hdf5File file = Hdf5File::open(in("fields_000001.vtkhdf"));
  EXPECT_EQ(file.root().open_group("VTKHDF").reals("Origin"),
            (std::vector<double>{-1.25, -0.125, 9}));
  std::vector<double> z(4);
  file.root().open_dataset("z").read(z.data(), ElementType::float64);
  EXPECT_EQ(z, (std::vector<double>{10, 12, 14, 16}));
}

TEST_F(Snapshots, ConvertsWhenAsked) {
  write(1, "single");
  write(2, "double");
  std::vector<double> values(24);
  Hdf5File single = Hdf5File::open(in("fields_000001.vtkhdf"));
  EXPECT_EQ(single.root().open_dataset("rho").type(), ElementType::float32);
  single.root().open_dataset("rho").read(values.data(), ElementType::float64);
  for (std::size_t v = 0; v < 24; ++v) {
    EXPECT_EQ(values[v], static_cast<double>(static_cast<float>(rho[v])));
  }
  Hdf5File wide = Hdf5File::open(in("fields_000002.vtkhdf"));
  EXPECT_EQ(wide.root().open_dataset("velocity").type(), ElementType::float64);
}

TEST_F(Snapshots, SummaryIsTheSameWrittenAndRead) {
  write(3, "single");
  const SnapshotSummary told =
      summarise(snapshot_path(folder, 3), grid, 0.1 * 3, 3, fields, "single");
  const SnapshotSummary read = read_snapshot_summary(in("fields_000003.vtkhdf"));
  EXPECT_EQ(read.file, told.file);
  EXPECT_EQ(read.time, told.time);
  EXPECT_EQ(read.step, 3);
  EXPECT_EQ(read.n, told.n);
  EXPECT_EQ(read.origin, told.origin);
  EXPECT_EQ(read.spacing, told.spacing);
  EXPECT_EQ(read.length_units, "m");
  EXPECT_EQ(read.time_units, "s");
  EXPECT_EQ(read.fields, told.fields);
}

TEST_F(Snapshots, IndexIsRebuiltFromTheFinishedFiles) {
  for (const int step : {20, 3, 1000000}) write(step);
  put_bytes(in("fields_000004.vtkhdf"), "damaged");
  put_bytes(in("fields_000005.vtkhdf.part"), "half");
  std::vector<std::string> skipped;
  const auto found = scan_snapshots(folder, &skipped);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].step, 3);
  EXPECT_EQ(found[2].step, 1000000);
  ASSERT_EQ(skipped.size(), 1u);
  EXPECT_HAS(skipped[0], "fields_000004.vtkhdf");
  write_xdmf(folder, found);
  const std::string text = read_text_file(in("fields.xmf"));
  EXPECT_HAS(text, "fields_1000000.vtkhdf:/VTKHDF/CellData/velocity");
  EXPECT_EQ(text.find("fields_000004"), std::string::npos);
  EXPECT_EQ(text.find("fields_000005"), std::string::npos);
}

TEST_F(Snapshots, SeriesSharesTheSnapshotsValues) {
  EXPECT_FALSE(write_series_vtkhdf(folder));
  write(1);
  rho[5] = 77;
  write(2);
  EXPECT_TRUE(write_series_vtkhdf(folder));
  const std::string moved = folder + "-moved";  // links are relative
  std::filesystem::rename(folder, moved);
  {
    Hdf5File file = Hdf5File::open(moved + "/series.vtkhdf");
    const Hdf5Group vtk = file.root().open_group("VTKHDF");
    EXPECT_EQ(vtk.open_group("Steps").integer("NSteps"), 2);
    // It has no values of its own. tests/python/test_files.py reads them by other libraries; this program reads no file through another.
    EXPECT_HAS(message_of(ErrorKind::io, [&] { vtk.open_group("CellData").open_dataset("rho"); }),
               "are in another file");
  }
  std::filesystem::rename(moved, folder);
  grid.n = {2, 3, 4};
  write(3);
  EXPECT_HAS(message_of(ErrorKind::io, [&] { write_series_vtkhdf(folder); }), "different grids");
}

TEST_F(Snapshots, RefusesNamesOfItsOwnLayout) {
  fields[0].name = "time";
  EXPECT_HAS(message_of(ErrorKind::internal, [&] { write(1); }), "time");
  fields[0].name = "velocity";
  EXPECT_HAS(message_of(ErrorKind::internal, [&] { write(1); }), "two fields");
  EXPECT_TRUE(names().empty());
}

TEST_F(Snapshots, LargeArraysStartAtWholeMebibytes) {
  grid.n = {64, 64, 33};  // 1.03 MiB in double precision
  const std::vector<double> large(64 * 64 * 33, 1.5);
  fields = {{"a", "", "1", "", 1, Precision::double_, large.data()},
            {"b", "", "1", "", 1, Precision::double_, large.data()}};
  write(1);
  Hdf5File file = Hdf5File::open(in("fields_000001.vtkhdf"));
  EXPECT_EQ(file.root().open_dataset("a").offset() % (1 << 20), 0u);
  EXPECT_EQ(file.root().open_dataset("b").offset() % (1 << 20), 0u);
  EXPECT_LE(bytes_of(in("fields_000001.vtkhdf")).size(),
            2 * room_for(large.size() * 8) + (1 << 20) + (1 << 19));  // as create() reckons
}

TEST_F(Snapshots, UnfinishedFilesVanishAndOldOnesStay) {
  put_bytes(in("f.h5"), "old");
  {
    Hdf5File file = Hdf5File::create(in("f.h5"));
    file.root().create_dataset("v", std::vector<double>{1, 2});
    EXPECT_EQ(names(), (std::vector<std::string>{"f.h5", "f.h5.part"}));
  }
  EXPECT_EQ(names(), std::vector<std::string>{"f.h5"});
  EXPECT_EQ(bytes_of(in("f.h5")), "old");
}

TEST_F(Snapshots, ErrorsNameTheFileTheObjectAndTheReason) {
  write(1);
  Hdf5File file = Hdf5File::open(in("fields_000001.vtkhdf"));
  const std::string message =
      message_of(ErrorKind::io, [&] { file.root().open_dataset("pressure"); });
  EXPECT_HAS(message, in("fields_000001.vtkhdf"));
  EXPECT_HAS(message, "/pressure");
  EXPECT_HAS(message, "HDF5: ");
}

}  // namespace
}  // namespace watersmeet::io

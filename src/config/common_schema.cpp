// The keys that every system has: same sections, same names everywhere (docs, "Input files").

#include "config/schema.hpp"
#include "config/usual_keys.hpp"
#include "core/host_limits.hpp"

namespace watersmeet::config {
namespace {

std::vector<Key> case_keys(const std::vector<std::string>& systems) {
  return {
      {.path = "case.system",
       .type = KeyType::choice,
       .required = true,
       .choices = systems,
       .help = "The system of equations to solve."},
      text_key("case.name",
               "Name of the case; names the run directory (the file's name when unset)."),
      choice_key(
          "case.units", "code", {"code", "SI"},
          "Units of all numbers of the case: code units, or metres, seconds, kilograms. In SI a "
          "time, length or pressure may have a unit: \"5 ms\", \"2 mm\", \"3 MPa\"."),
      {.path = "constants.*",
       .type = KeyType::real,
       .help = "A name for use in expressions: a number or a constant expression in quotes."},
  };
}

std::vector<Key> table_keys() {
  return {
      required(text_key(
          "tables.*.file",
          "netCDF-4 or HDF5 file with a field of one to three axes, or text file of columns, "
          "which expressions call: NAME(x, y). Looked for beside the case, then in the "
          "working folder; the run keeps a copy.")),
      text_key("tables.*.field",
               "The field, \"group/name\" inside a group; of a text file the column, by the name "
               "above it or its number from 1. NAME when unset."),
      text_key("tables.*.over",
               "Of a text file: the column of the argument, likewise; the first one when unset."),
      text_key(
          "tables.*.unit",
          "Unit of the field in the file, such as \"degC\" or \"hPa\", converted to SI; that of "
          "the case when unset."),
      text_key("tables.*.over_unit",
               "Of a text file: unit of the argument in the file, such as \"km\", likewise."),
      count_key("tables.*.component", 0, "",
                "Component of a field of vectors, counted from 0 along the last axis."),
      {.path = "tables.*.period",
       .type = KeyType::reals,
       .lowest = 0,
       .help = "Period of each argument, 0 for none; constant beyond the outermost coordinates "
               "when unset."},
  };
}

std::vector<Key> grid_keys() {
  return {
      {.path = "grid.cells",
       .type = KeyType::integers3,
       .required = true,
       .lowest = 1,
       .help = "Number of cells along x, y and z."},
      vector_key("grid.lower", "length", "[0, 0, 0]", "Lower corner of the box."),
      vector_key("grid.upper", "length", R"(["2*pi", "2*pi", "2*pi"])",
                 "Upper corner of the box, above the lower one along each axis."),
  };
}

std::vector<Key> time_keys() {
  return {
      duration_key("time.end", "time",
                   "The run ends at this time; time.end or time.steps must be given."),
      count_key("time.steps", 0, "",
                "The run ends after this many steps, those before a resumption included."),
      positive_key("time.cfl", "1", "0.9",
                   "Time step as a fraction of the stability limit of the scheme."),
      positive_key("time.dt", "time", "", "Fixed time step; chosen from time.cfl when unset."),
      duration_key(
          "time.wall", "s",
          "Limit of the wall-clock time: before it is over, the run writes a checkpoint and "
          "stops."),
      choice_key("numerics.precision", "double", {"single", "double"},
                 "Precision of the computation."),
  };
}

Key every(const std::string& what, const std::string& help) {
  return duration_key("output." + what, "time", help);
}

Key every_steps(const std::string& what, const std::string& default_text, const std::string& help) {
  return count_key("output." + what, 1, default_text, help);
}

std::vector<Key> start_keys() {
  return {
      text_key("start.from",
               "A run, a checkpoint or a snapshot of any grid, that the first state comes from in "
               "place of "
               "[[initial]]: its folder or file, beside the case or in the working folder."),
      choice_key("start.time", "zero", {"zero", "file"},
                 "Time at which such a run begins: 0, or that of the state in the file."),
  };
}

Key part_range(const std::string& list, const std::string& axis) {
  return reals_key(
      "output." + list + "[]." + axis, "length",
      "[a, b]: cells with centres from a to b along " + axis +
          "; [a]: the cell nearest to a, for a plane or a line; all cells when unset.");
}

std::vector<Key> output_keys() {
  return {
      every("every",
            "Time between snapshots; when unset, snapshots are not written at intervals of time."),
      every_steps("every_steps", "", "Steps between snapshots."),
      texts_key("output.fields",
                "Fields of the snapshots; a list that depends on the system when unset."),
      reals_key("output.latlon", "1",
                "[longitudes, latitudes]: on a sphere, also write every snapshot as CF netCDF "
                "(latlon_NNNNNN.nc) on a grid of these numbers of points."),
      choice_key(
          "output.precision", "same", {"same", "single", "double"},
          "Precision of the numbers in snapshots: same as the computation, single or double."),
      every_steps("series_every_steps", "10", "Steps between rows of the time series."),
      every("spectra_every", "Time between spectra."),
      every_steps("spectra_every_steps", "", "Steps between spectra."),
      every("profiles_every", "Time between profiles, averages over planes."),
      every_steps("profiles_every_steps", "", "Steps between profiles."),
      every_steps("report_every_steps", "",
                  "Steps between progress lines; about one line a second when unset."),
      every("checkpoint_every", "Time between checkpoints."),
      every_steps("checkpoint_every_steps", "", "Steps between checkpoints."),
      every_steps("checkpoints_kept", "2", "How many of the newest checkpoints are kept."),
      flag_key("output.overview", "true", "Draw plots/overview.png at the end of the run."),
      required(text_key("output.probe[].name",
                        "Name of the probe; the time series gets the columns NAME_FIELD.")),
      {.path = "output.probe[].at",
       .type = KeyType::reals3,
       .unit = "length",
       .required = true,
       .help = "Place of the probe, whose values are those of the cell or node nearest to it; on a "
               "sphere longitude and latitude, in radians, and height."},
      required(texts_key(
          "output.probe[].fields",
          "Fields to probe at every row of the time series (output.series_every_steps).")),
      required(
          text_key("output.average[].name",
                   "Name of the average in time; its files are average_NAME_NNNNNN.vtkhdf (.h5 on "
                   "blocks and on a sphere) and profile_NAME.csv.")),
      texts_key("output.average[].mean",
                "Expressions of fields of which means are taken; a vector stands for all its "
                "components, velocity.x for one."),
      texts_key("output.average[].variance",
                "The same of which variances about the mean of the window are taken."),
      texts_key(
          "output.average[].covariance",
          "Pairs of expressions, \"velocity.x, velocity.z\", of which covariances are taken."),
      {.path = "output.average[].from",
       .type = KeyType::duration,
       .unit = "time",
       .default_text = "0",
       .lowest = 0,
       .help = "Time at which the first window begins."},
      every("average[].every",
            "Length of a window, at whose end results are written and new sums begin; when unset "
            "one window lasts to the end of the run."),
      every_steps("average[].sample_every_steps", "1",
                  "Steps between the states that are averaged, each weighed with half the step "
                  "before it and half the one after it."),
      choice_key("output.average[].profile", "", {"x", "y", "z"},
                 "Axis along which the average is also written as a profile: means over the planes "
                 "across it, of a box."),
      flag_key("output.average[].fields", "true",
               "Whether the average is written as fields; false needs a profile."),
      required(text_key("output.part[].name",
                        "Name of a part of a box of cells that is written by itself; its files are "
                        "part_NAME_NNNNNN.vtkhdf.")),
      texts_key("output.part[].fields", "Fields of the part; those of snapshots when unset."),
      every("part[].every", "Time between its files; this or every_steps must be given."),
      every_steps("part[].every_steps", "", "Steps between its files."),
      part_range("part", "x"),
      part_range("part", "y"),
      part_range("part", "z"),
      {.path = "output.part[].stride",
       .type = KeyType::integers3,
       .default_text = "[1, 1, 1]",
       .lowest = 1,
       .help = "Of the cells along x, y and z each n-th is written, from the first on."},
      choice_key("output.part[].precision", "single", {"same", "single", "double"},
                 "Precision of its numbers: same as the computation, single or double."),
      {.path = "output.part[].deflate",
       .type = KeyType::integer,
       .default_text = "0",
       .lowest = 0,
       .highest = 9,
       .help = "Level of compression without loss, by the filters shuffle and deflate of HDF5; 0 "
               "for none."},
      required(
          text_key("output.picture[].name",
                   "Name of a picture that is drawn during the run; its files are "
                   "picture_NAME_NNNNNN.png and, where ffmpeg is on the path, picture_NAME.mp4.")),
      required(
          text_key("output.picture[].field",
                   "What is drawn: a field, a component (velocity.x), or an expression of them.")),
      every("picture[].every", "Time between its files; this or every_steps must be given."),
      every_steps("picture[].every_steps", "", "Steps between its files."),
      part_range("picture", "x"),
      part_range("picture", "y"),
      part_range("picture", "z"),
      reals_key("output.picture[].limits", "1",
                "[low, high]: values of the first and the last colour; those that each picture "
                "shows when unset."),
      choice_key("output.picture[].colormap", "viridis", {"viridis", "inferno", "gray", "blue_red"},
                 "Colours of values; those of blue_red go apart from white, which without limits "
                 "is at 0."),
      positive_key("output.picture[].scale", "1", "",
                   "Pixels along the side of a cell, perhaps below 1; when unset as many as make "
                   "pictures 400 to 2000 pixels wide."),
      required(text_key(
          "output.isosurface[].name",
          "Name of an iso-surface, of cells in a plane a line, that is written during the run; "
          "its files are isosurface_NAME_NNNNNN.vtkhdf.")),
      required(text_key(
          "output.isosurface[].field",
          "What has the values: a field, a component (velocity.x), or an expression of them.")),
      required(reals_key("output.isosurface[].values", "1",
                         "Its values on the surface, one or several.")),
      texts_key("output.isosurface[].fields",
                "Fields whose values are also written at the points of the surface; none when "
                "unset."),
      every("isosurface[].every", "Time between its files; this or every_steps must be given."),
      every_steps("isosurface[].every_steps", "", "Steps between its files."),
      part_range("isosurface", "x"),
      part_range("isosurface", "y"),
      part_range("isosurface", "z"),
      {.path = "output.isosurface[].stride",
       .type = KeyType::integers3,
       .default_text = "[1, 1, 1]",
       .lowest = 1,
       .help = "Of the cells along x, y and z each n-th is taken, from the first on."},
      vector_key("output.isosurface[].view", "1", "",
                 "Draws the surface too, picture_NAME_NNNNNN.png, as seen from this direction, "
                 "such as [1, -2, 1]; no picture when unset."),
      text_key("output.isosurface[].color",
               "What the colours of its picture show: a field, a component, or an expression; "
               "`field` when unset."),
      reals_key("output.isosurface[].limits", "1", "[low, high] of the colours, as of a picture."),
      choice_key("output.isosurface[].colormap", "viridis",
                 {"viridis", "inferno", "gray", "blue_red"}, "Colours of its picture."),
  };
}

std::vector<Key> trigger_keys() {
  return {
      required(text_key("trigger[].name",
                        "Name of the trigger, by which checkpoints and the log know it.")),
      required(text_key(
          "trigger[].when",
          "Condition, \"max(velocity.x) > 3 && t > 1\": an expression of t, step, dt, the "
          "columns of the time series, and max(...), min(...), mean(...) and sum(...) over "
          "all cells of expressions of fields.")),
      {.path = "trigger[].then",
       .type = KeyType::texts,
       .required = true,
       .choices = {"snapshot", "checkpoint", "stop"},
       .help = "What is done where the condition holds: write a snapshot, write a checkpoint, end "
               "the run as at its end."},
      choice_key("trigger[].mode", "latched", {"latched", "edge", "level"},
                 "latched acts the first time that the condition holds and never again, edge each "
                 "time that it holds and did not before, level each time that it holds."),
      duration_key("trigger[].every", "time",
                   "Time between evaluations of the condition; when unset they go by steps."),
      count_key("trigger[].every_steps", 1, "10",
                "Steps between evaluations of the condition; those of the default are made only "
                "where every is not set."),
  };
}

std::vector<Key> device_keys() {
  return {
      choice_key("device.kind", "auto", {"auto", "cpu", "gpu"},
                 "Where to compute; auto takes a GPU when there is one."),
      count_key("device.index", 0, "",
                "Number of the GPU to use; when unset the first, or on several ranks one each."),
      {.path = "device.threads",
       .type = KeyType::integer,
       .lowest = 1,
       .highest = most_threads,
       .help = "CPU threads of each rank; when unset OMP_NUM_THREADS, or else its share of the "
               "processors it may use."},
      choice_key("device.schedule", "auto", {"auto", "direct", "ring"},
                 "Loop schedule of the kernels; auto takes the fastest for the device."),
      choice_key(
          "device.memory", "auto", {"auto", "resident", "stream"},
          "Where the solution is kept: on the device, or in host memory, from which segments "
          "are streamed "
          "through it; auto streams what does not fit a GPU."),
      {.path = "device.ranks_along",
       .type = KeyType::integers3,
       .lowest = 1,
       .help = "Ranks along x, y and z; chosen for the least modelled time when unset."},
      {.path = "device.weights",
       .type = KeyType::reals,
       .lowest = 0,
       .lowest_open = true,
       .help = "Relative speed of each rank, one number per rank; measured when unset and the "
               "devices differ. Parts have sizes in proportion to it where one axis is cut; where "
               "several are cut they are equal."},
      {.path = "device.balance_window",
       .type = KeyType::duration,
       .unit = "s",
       .default_text = "10",  // no text: the s of "10 s" may be a constant of the case
       .lowest = 0,
       .help =
           "On several ranks of which any computes on the CPU, without device.weights: what each "
           "computes is measured over windows of this time, at first. The grid is divided anew "
           "where other parts would have made the steps of two windows at least 5 % shorter; "
           "0: never."},
      {.path = "device.transport",
       .type = KeyType::choice,
       .default_text = "\"auto\"",
       .choices = {"auto", "mpi", "mpi-device", "nccl", "peer"},
       .help =
           "How ghost cells are sent between ranks: MPI from host memory, MPI from device memory, "
           "NCCL, or stores of a kernel into the memory of the other GPUs of one host; auto takes "
           "the best that works. Ranks that share a GPU can have stores (peer), slowly."},
      {.path = "device.overlap",
       .type = KeyType::choice,
       .default_text = "\"auto\"",
       .choices = {"auto", "on", "off"},
       .help = "Compute while ghost cells are sent; auto does so on GPUs that send large messages "
               "by NCCL or MPI."},
      flag_key("device.share", "false", "Allow several ranks to use the same GPU."),
      flag_key("device.slower_ranks", "false",
               "Allow more GPUs than pay: otherwise a run on GPUs that are predicted to be slower "
               "together than one of them is refused."),
      count_key("device.cpu_ranks", 0, "0",
                "Number of ranks on each host, its last ones, that compute on the CPU while the "
                "others use GPUs."),
      count_key("device.verify_every", 0, "0",
                "Every so many steps one is carried out twice and the run ends where the results "
                "differ, as the memory or a processor is faulty; 0: never. Takes memory for two "
                "solutions on the device."),
      {.path = "device.peer_timeout",
       .type = KeyType::duration,
       .unit = "s",
       .default_text = "\"30 min\"",
       .lowest = 0,
       .lowest_open = true,
       .help = "The run ends when another rank does not respond for this time."},
      choice_key("stream.scheme", "skew", {"skew", "stage"},
                 "How a streamed grid is computed: skew carries each segment through all stages of "
                 "one or "
                 "more steps in a visit; stage visits all segments once a stage, for comparison."),
      choice_key(
          "stream.update", "device", {"device", "host"},
          "Where a stage of stream.scheme = \"stage\", and of no other, updates the solution. "
          "host: the device computes right-hand sides alone, and the host, which keeps the "
          "solution and the increment, updates a segment while the device computes the next "
          "one; refused where more follows a stage."),
      count_key("stream.segments", 2, "",
                "Segments into which a streamed grid is cut across z, or across y where z has one "
                "cell and in the atmosphere; chosen for the device's memory when unset."),
      {.path = "stream.fused_steps",
       .type = KeyType::integer,
       .lowest = 1,
       .highest = 8,
       .help =
           "Time steps of each visit of a segment; when unset 8 (4 of multicomponent), or as many "
           "as the grid and the device's memory allow. With more than one the time step follows "
           "the largest signal of the visit before."},
  };
}

}  // namespace

Schema common_schema(const std::vector<std::string>& systems) {
  Schema schema;
  schema.add(case_keys(systems));
  schema.add(table_keys());
  schema.add(grid_keys());
  schema.add(time_keys());
  schema.add(start_keys());
  schema.add(output_keys());
  schema.add(trigger_keys());
  schema.add(device_keys());
  return schema;
}

}  // namespace watersmeet::config

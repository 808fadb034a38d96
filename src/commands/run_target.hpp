#pragma once
// What a path given to info, diff or stop is: a run folder, a snapshot, a checkpoint, a case, or
// another file that the program writes or reads.

#include <string>

namespace watersmeet::commands {

// series: all snapshots as one file; scalars: series.h5; table: series.csv and its like; record: of
// a run, for programs or people; mesh: mesh.h5 of a run; mesh_source: what cases read; kept: a copy
// in inputs/ of a file that the case names; picture: in plots/.
enum class Target {
  run_directory,
  snapshot,
  checkpoint,
  series,
  case_file,
  mesh,
  mesh_source,
  map,
  scalars,
  table,
  bench,
  record,
  kept,
  picture
};
const char* name_of(Target target);

// Looks at the path and, for HDF5 files, at what they hold. Error{user_input} when there is nothing
// of that name (with the nearest name beside it) or nothing that the program knows; Error{io} when
// it cannot be read.
Target target_of(const std::string& path);

// Error{user_input} unless the path is the folder of a run.
void require_run_directory(const std::string& path);

// Whether the folder holds nothing but the first files of a run that was killed before run.json was
// written: its inputs, or parts of files.
bool is_unstarted_run(const std::string& directory);

}  // namespace watersmeet::commands

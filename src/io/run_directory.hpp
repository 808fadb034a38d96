#pragma once
// The folder of a run: its numbered name, the link to the latest, the files of known names in it,
// and run.json, the record of every launch. Nothing here overwrites another run.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace watersmeet::io {

// Throws Error{io} with the reason unless the folder, or the nearest existing one above it, can be
// written to.
void check_writable(const std::string& directory);

// Bytes that this user can still write on the disk of the folder, or of the nearest existing one
// above it; the largest number where the file system does not say. Throws Error{io}.
std::uint64_t free_disk_bytes(const std::string& directory);

// Creates the folder and those above it, if they are absent. Throws Error{io}.
void make_directories(const std::string& directory);

// Creates ROOT/NAME-001, or with the next free number (three digits or more), points ROOT/latest at
// it and returns its path. Safe against other processes doing the same. Throws Error{io}.
std::string create_numbered_directory(const std::string& root, const std::string& name);

// Throws Error{io} unless the folder is absent or empty and can be written.
void check_new_directory(const std::string& directory);

// Creates the folder asked for; it must be absent or empty, else Error{io}.
void create_explicit_directory(const std::string& directory);

// Name of a run: that of its folder, however the path to it is written ("out/", ".").
std::string run_id_of(const std::string& directory);

// Points ROOT/latest at a folder in ROOT (a relative link, replaced atomically).
void link_latest(const std::string& root, const std::string& name);

// Writes case.toml (exact text of the input) and resolved.toml.
void write_inputs(const std::string& directory, const std::string& case_toml,
                  const std::string& resolved_toml);

// Replaces resolved.toml (a run that is resumed with other settings).
void write_resolved(const std::string& directory, const std::string& resolved_toml);

// DIR/fields_000123.vtkhdf, or .h5 for curvilinear blocks, and DIR/checkpoint_000123.h5. `kind`: "fields", or of an average in time
// average_kind() of its name.
std::string snapshot_path(const std::string& directory, std::int64_t step, bool blocks = false,
                          const std::string& kind = "fields");
std::string average_kind(const std::string& name);     // "average_NAME"
std::string part_kind(const std::string& name);        // "part_NAME", of a part of the grid
std::string isosurface_kind(const std::string& name);  // "isosurface_NAME"
std::string checkpoint_path(const std::string& directory, std::int64_t step);
// DIR/picture_NAME_000123.png
std::string picture_path(const std::string& directory, const std::string& name, std::int64_t step);
// Finished ones by step, as paths.
std::vector<std::string> list_snapshots(const std::string& directory,
                                        const std::string& kind = "fields");
// The names of the averages in time that a folder has files of, in the order of the alphabet.
std::vector<std::string> average_names(const std::string& directory);
std::vector<std::string> part_names(const std::string& directory);        // likewise
std::vector<std::string> picture_names(const std::string& directory);     // likewise
std::vector<std::string> isosurface_names(const std::string& directory);  // likewise
// The pictures of this name by step, as paths.
std::vector<std::string> list_pictures(const std::string& directory, const std::string& name);
std::vector<std::string> list_checkpoints(const std::string& directory);
std::vector<std::int64_t> checkpoint_steps(const std::string& directory);

// For a resume from `step`: snapshots, averages, parts, pictures, iso-surfaces and checkpoints of later steps belong to a future that may
// now run otherwise. They are renamed to NAME.old, so that no index and no later resume takes them.
// Returns the new paths.
std::vector<std::string> set_aside_after(const std::string& directory, std::int64_t step);
// For a resume from within a window of an average: what the end of the run before wrote of this window at this step, which its end will
// replace, is renamed likewise.
void set_aside_average(const std::string& directory, const std::string& name, std::int64_t step);
// The same of checkpoints alone: those of states that may be spoiled.
std::vector<std::string> set_aside_checkpoints_after(const std::string& directory,
                                                     std::int64_t step);

// Removes what killed writers left behind (names ending in .part) before a resume. Returns the
// removed paths.
std::vector<std::string> remove_unfinished(const std::string& directory);

// The step at which a launch divided the grid anew, and the cells of its ranks before and after.
struct DivisionRecord {
  std::int64_t step = 0;
  std::vector<std::int64_t> before, after;
};

// One launch of the program on this folder.
struct Launch {
  std::string command_line, version, commit;
  bool dirty = false;
  std::string compiler, flags, host, system, backend, driver;
  std::vector<std::string> devices;
  int ranks = 1;
  int threads = 1;
  std::int64_t first_step = 0;
  std::string start;               // UTC, ISO 8601; filled by record_start() when empty
  std::string end;                 // empty while running, or when the run was killed
  std::optional<int> exit_status;  // as end
  // Set once a run that looks for a steady state has ended; for other runs always empty.
  std::optional<bool> converged;
  std::string stopped_by;  // the trigger that ended it; empty without one
  std::vector<DivisionRecord> divisions = {};
};
struct RunRecord {
  std::string run_id;
  std::vector<Launch> launches;  // the first start, then the restarts
};

// Adds a launch to DIR/run.json (creates it), fills in the end of the last one, reads it back.
// Throw Error{io}. `converged` and `stopped_by`: as in Launch.
void record_start(const std::string& directory, const std::string& run_id, Launch launch);
void record_end(const std::string& directory, int exit_status, std::optional<bool> converged,
                const std::string& stopped_by = "");
// Adds to the last launch. Throws Error{io}.
void record_division(const std::string& directory, DivisionRecord division);
RunRecord read_run_record(const std::string& directory);

// "2026-11-20T14:03:07Z"
std::string utc_now();

}  // namespace watersmeet::io

#pragma once
// Where a file comes from: program, machine, command line, input. Stored in the group /run of
// snapshots and checkpoints.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace watersmeet::io {

class Hdf5File;

struct Provenance {
  std::string program, version, commit, build, system, backend, command_line, run_id;
  std::string title, institution, references, history;
  std::vector<std::string> devices;
  int ranks = 1;
  std::uint64_t seed = 0;
  std::string input_toml, resolved_toml;  // exact texts
  std::map<std::string, double> scales;   // unit scales (M_u, L_u, T_u): attributes of /run
};

// Creates the group /run with one attribute per non-empty entry and the datasets input_toml and
// resolved_toml.
void write_provenance(Hdf5File& file, const Provenance& provenance);

// Reads /run back; entries that are absent stay empty. Throws Error{io} when there is no /run.
Provenance read_provenance(const std::string& path);

}  // namespace watersmeet::io

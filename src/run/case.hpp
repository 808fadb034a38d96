#pragma once
// A case that was read and checked: input, schema and configured system, nothing allocated yet.

#include <memory>
#include <string>

#include "config/input.hpp"
#include "systems/system.hpp"
#include "watersmeet/simulation.hpp"

namespace watersmeet::run {

class OtherGrid;

struct Case {
  config::Input input;
  std::unique_ptr<systems::System> system;
  std::shared_ptr<OtherGrid> start =
      nullptr;  // of start.from; null: the state begins as [[initial]] has it
};

// Whether start.from is looked at: not where the state comes from a checkpoint of this case, or does not matter.
enum class Start { read, skip };

// Reads, validates and configures. All faults at once as Error{user_input}; options (--set,
// --precision ...) come on top of the file. The texts of `set` are applied last.
Case load_case(const std::string& path, const SimulationOptions& options,
               Start start = Start::read);
Case load_case_text(const std::string& toml, const std::string& name,
                    const SimulationOptions& options, Start start = Start::read);

// Which outputs beside fields and series a configured system has.
struct Offers {
  bool spectra = false, profiles = false, maps = false;
};

// Faults of the output that the common keys allow and the system does not: fields that it cannot
// write, spectra and profiles where it takes none. Part of loading.
void check_output(config::Input& input, const std::string& system,
                  const std::vector<systems::QuantityInfo>& quantities, const Offers& offers);

// Error{user_input} where the state of a run, with as many cells, would be another one in the case as it is now: its cells lie elsewhere, or what
// its values refer to is changed.
void require_same_state(const systems::System& before, const systems::System& now);

// The first of what stored values refer to that both have and that differs, in words with the places of the two; "" where there is none.
std::string difference(const systems::Transfer::Basis& before, const systems::Transfer::Basis& now,
                       const std::string& there, const std::string& here);

// "256 x 256 x 256 = 16.8 M points, box 6.283 x 6.283 x 6.283", or the blocks of a curvilinear
// mesh.
std::string grid_text(const mesh::GridDescription& grid);

}  // namespace watersmeet::run

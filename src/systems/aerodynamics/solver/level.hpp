#pragma once
// A grid of the solver, on this rank: its operators, metrics and surfaces in the arrays that the
// loops read. The finest grid has one for the order of the case, and one of first order while a
// steady run starts; each coarse grid of multigrid has one of first order.

#include <memory>
#include <span>
#include <vector>

#include "comm/team.hpp"
#include "memory/state.hpp"
#include "systems/aerodynamics/loops.hpp"
#include "systems/aerodynamics/solver/messages.hpp"
#include "systems/aerodynamics/surface/tables.hpp"

namespace watersmeet::aerodynamics {

// Elements from one variable of a pool to the next, the same as in memory::State.
std::int64_t pool_pitch(std::int64_t nodes, Precision precision);
// Memory for so many numbers a node of a pool, not initialised, with room for a pack behind.
memory::Buffer pool_buffer(std::int64_t nodes, int numbers, Precision precision,
                           const Queue& queue);

struct LevelOptions {
  int order = 1;
  schemes::Rational sbp6_x1 = schemes::sbp6_accurate;
  bool sensor = false;   // room for the shock sensor
  bool damps = false;    // and for what it leaves of transfers between grids
  bool gathers = false;  // stencils gathered by the direct schedule, where it serves the order
  bool cubes = false;    // the cube schedule, where blocks allow it
  bool marches = false;  // the marching schedule, where blocks allow it and are large
  bool always_marches = false;  // or small
  bool lists = false;           // the list of surfaces of every node
  FlowModel<double> model;
};

// Values of a condition that reads the flow, at the nodes beside boundaries of all levels.
struct SideValues {
  int condition = 0;
  const systems::UserSources* values = nullptr;
};

class Level {
 public:
  // `mesh` of all ranks; Error{user_input} naming block and node where metrics fail.
  Level(const mesh::MultiBlockMesh& mesh, std::span<const int> ranks, const LevelOptions& options,
        std::span<const Condition> conditions, Precision precision, const Queue& queue,
        comm::Team* team);
  Level(const Level&) = delete;  // its loops refer to it
  Level& operator=(const Level&) = delete;

  std::int64_t nodes() const { return blocks_.nodes; }
  const RankBlocks& blocks() const { return blocks_; }
  const std::vector<exec::NodeBlock>& node_blocks() const { return node_blocks_; }
  const SurfaceTables& tables() const { return tables_; }
  const LevelParameters& parameters() const { return parameters_; }
  FlowLoops& loops() const { return *loops_; }
  StateMessages& messages() { return messages_; }
  const std::vector<double>& node_volumes() const { return node_volumes_; }  // V H
  const std::vector<double>& inverse_volumes() const { return inverse_volumes_; }
  std::int64_t floored() const { return floored_; }

  // Outer states at `count` times; use_outside(c) makes the table of time c current.
  void tabulate(std::span<const Condition> conditions, std::span<const double> times,
                const Queue& queue);
  void use_outside(int number);
  // Writes these values into the tables in use, of the state `in`. first_place: that of the first of side_places() among the places of the
  // values.
  void write_sides(std::span<const SideValues> sides, TableAddress<double> in,
                   std::int64_t first_place, double fraction, exec::Clock* clock,
                   const Queue& queue);
  // Fetches what they have written, for outside() and given().
  void read_sides(const Queue& queue);
  // What sums over the nodes and quantities refer to: the total enthalpy and the scales of the free stream.
  void observe(double enthalpy, const StreamScale<double>& scale, const Queue& queue);
  // The places of all nodes, as programs of coarse grids read them; made when asked for.
  const ProgramNode* places(const Queue& queue);

  // From now on the sensor only grows: what it was at one time stays. Of a steady run that would
  // go round in a cycle because first differences come and go.
  void hold_sensor();
  // A held sensor grows anew from that of the next step.
  void forget_sensor(const Queue& queue);
  // State of the shock sensor that checkpoints keep, variables by number: the held sensor along each direction,
  // and the troubled nodes. No variables where there is no sensor.
  memory::State& shock_memory() { return shock_memory_; }
  static constexpr int troubled_variable = 3;
  // The values of the table last made or fetched, [variable][place].
  const std::vector<double>& outside() const { return outside_host_; }
  const Given<double>& given(const Surface& s) const {
    return given_host_[static_cast<std::size_t>(s.given)];
  }

 private:
  void set_metrics(const mesh::MultiBlockMesh& mesh, const Queue& queue);
  void set_schedule(bool solid, const Queue& queue);
  void set_tiles(const Queue& queue);
  void set_surfaces(std::span<const Condition> conditions, const Queue& queue);
  bool sums_penalties(const Queue& queue) const;
  void set_sums(const Queue& queue);

  LevelOptions options_;
  Precision precision_;
  RankBlocks blocks_;
  std::vector<exec::NodeBlock> node_blocks_;
  SurfaceTables tables_;
  std::vector<double> node_volumes_, inverse_volumes_, outside_host_;
  std::vector<Given<double>> given_host_;
  int outside_number_ = 0;  // of the table in use
  std::int64_t floored_ = 0;
  LevelParameters parameters_;
  std::unique_ptr<FlowLoops> loops_;
  memory::Buffer block_table_, tiles_, sides_, rows_, cubes_, columns_, area_, inverse_volume_,
      node_volume_, local_step_, sensor_, share_, pressure_;
  memory::State shock_memory_;
  memory::Buffer surface_node_, surface_first_, surfaces_, surface_of_, given_, outside_, places_,
      side_nodes_, side_states_;
  std::vector<Area<double>> surface_areas_;  // while sums are set up
  memory::Buffer sum_entries_, sum_areas_, sum_factors_, sums_;
  StateMessages messages_;
};

// Host numbers to the device, in their precision; waits.
void upload(const memory::Buffer& to, std::size_t first, std::span<const double> numbers,
            Precision precision, const Queue& queue);

}  // namespace watersmeet::aerodynamics

#pragma once
// The cubed sphere of a run of the atmosphere: tables of its geometry and reference where the
// kernels run, the coupling of its panels, and the lines of cells along their sides that travel
// between ranks. A rank has a rectangle of the columns of neighbouring panels, the same of each.

#include <memory>
#include <vector>

#include "comm/panel_strips.hpp"
#include "comm/traffic.hpp"
#include "config/expression.hpp"
#include "memory/buffer.hpp"
#include "memory/state.hpp"
#include "mesh/panel_grid.hpp"
#include "systems/atmosphere/loops.hpp"
#include "systems/atmosphere/settings/levels.hpp"
#include "systems/atmosphere/settings/reference.hpp"
#include "systems/atmosphere/settings/tables.hpp"

namespace watersmeet::atmosphere {

struct Planet {
  double radius = 6.37122e6, rate = 7.29212e-5;  // of DCMIP
};

class Globe {
 public:
  // `levels` from 0 to the lid at `top`.
  Globe(std::int64_t n, const Levels& levels, double top, const Planet& planet);

  std::int64_t n() const { return n_; }
  std::int64_t levels() const { return heights_.count(); }
  const Levels& heights() const { return heights_; }
  bool stretched() const { return heights_.stretched(); }
  double top() const { return top_; }
  // The mean one.
  double level_thickness() const { return top_ / static_cast<double>(levels()); }
  const Planet& planet() const { return planet_; }
  const mesh::PanelGrid& grid() const { return grid_; }
  double spacing() const;                                // radius times the angle of a cell
  double area() const { return spacing() * spacing(); }  // what area elements are to be taken times

  // Height of the ground over the sphere, of lon and lat; empty: flat.
  void set_ground(const std::string& text, const config::Constants& constants);
  bool flat() const { return ground_.empty(); }
  // At the corners first <= (i, j) < end of the cells of a panel, [j][i]; also beyond its edges.
  std::vector<double> ground_corners(int panel, std::int64_t first, std::int64_t end) const;
  // Height of the middle of a cell whose ground this is.
  double height(double ground, std::int64_t level) const;

  // Lengths grow with the distance from the centre.
  void set_deep() {
    deep_ = true;
    flow_.mesh.inverse_radius = 1 / planet_.radius;
  }
  // What stretched levels are reconstructed with.
  void set_kappa(double kappa) { kappa_ = kappa; }
  // After the ground: takes the numerics of a case as a box has them, and makes the medium.
  void set_flow(const BoxParameters& numerics, const ReferenceState& reference,
                const Sponge& sponge);
  bool has_sponge() const { return sponge_.on(); }

  // Makes the tables and chooses the loops. `domain`: of the stack of all panels; `tile`: of
  // make_loops().
  void allocate(const comm::Domain& domain, comm::Team& team, Precision precision,
                const Queue& queue, const Traits& traits, bool tile);
  SphereLoops& loops() const { return *loops_; }
  // Ghosts beyond sides of panels of `in` and the records of the rims, with what other ranks have.
  void couple(const exec::Launch& launch);
  std::size_t bytes_sent() const { return strips_.bytes_sent(); }  // of one coupling
  // The same before anything is allocated.
  comm::ExchangeSize exchange_size(const comm::Domain& domain, bool transverse,
                                   Precision precision) const;
  // Beside the state, for so many panels.
  std::size_t bytes_needed(std::int64_t panels_here, Precision precision) const;

 private:
  void make_tables();
  void make_sponge();
  // Where one rank has all cells.
  bool copies_lines() const {
    return queue_.backend == Backend::cuda && strips_.call().strips == nullptr;
  }
  bool has_columns() const { return !flat() || deep_; }
  std::vector<double> column_table() const;
  double lowest_ground() const;
  mesh::StripLayout strip_layout() const {
    return {static_cast<int>(n_), static_cast<int>(levels()), n_variables};
  }
  std::int64_t rim_elements(std::int64_t panels_here) const {
    return 4 * n_rim_values * flow_.mesh.rim_pitch * panels_here * levels();
  }

  std::int64_t n_;
  Levels heights_;
  double top_;
  Planet planet_;
  mesh::PanelGrid grid_;
  std::string ground_;
  bool deep_ = false;
  double kappa_ = 1.0 / 3;
  config::Constants constants_;
  ReferenceState reference_;
  Sponge sponge_;
  SphereCase case_;
  SphereParameters& flow_ = case_.whole_panels;

  Precision precision_ = Precision::double_;
  Queue queue_;
  std::unique_ptr<SphereLoops> loops_;
  TableStore tables_;
  comm::PanelStrips strips_;
};

}  // namespace watersmeet::atmosphere

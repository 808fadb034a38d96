#pragma once
// The cubed sphere of a run: tables of its mesh on the device, the coupling of its panels,
// and the lines of cells along their sides that travel between ranks. A rank has a box of cells of
// neighbouring panels, the same of each.

#include <vector>

#include "comm/panel_strips.hpp"
#include "comm/traffic.hpp"
#include "memory/buffer.hpp"
#include "mesh/panel_grid.hpp"
#include "systems/shallow_water/loops.hpp"
#include "systems/shallow_water/sphere/states.hpp"

namespace watersmeet::shallow_water {

class Sphere {
 public:
  // Writes what a case has of a sphere; the case must outlive it.
  Sphere(std::int64_t n, const Planet& planet, Case& of);

  std::int64_t n() const { return n_; }
  const Planet& planet() const { return planet_; }
  double spacing() const;  // radius times the angle of a cell
  void prescribe_wind(double rate);

  const mesh::PanelGrid& grid() const { return grid_; }

  // `domain`: of the planes of a box.
  void allocate(const comm::Domain& domain, comm::Team& team, Precision precision,
                const Queue& queue);
  // Ghosts of `out` and the records of the rims, with what other ranks have.
  void couple(Loops& loops, const exec::Launch& launch, bool bed_alone);
  std::size_t bytes_sent() const { return strips_.bytes_sent(); }  // of one coupling
  comm::ExchangeSize exchange_size(const comm::Domain& domain, Precision precision) const;
  static std::size_t bytes_needed(std::int64_t n, std::int64_t panels, Precision precision);

 private:
  void make_tables(Precision precision, const Queue& queue);

  std::int64_t n_;
  Planet planet_;
  mesh::PanelGrid grid_;
  Case& case_;
  std::vector<memory::Buffer> tables_;
  comm::PanelStrips strips_;
};

}  // namespace watersmeet::shallow_water

#pragma once
// The cubed sphere of a run of the atmosphere: tables of its geometry and reference where the
// kernels run, and the coupling of its panels. One rank has them all.

#include <array>
#include <vector>

#include "config/expression.hpp"
#include "memory/buffer.hpp"
#include "memory/state.hpp"
#include "mesh/panel_grid.hpp"
#include "systems/atmosphere/globe_kernels.hpp"
#include "systems/atmosphere/reference.hpp"

namespace watersmeet::atmosphere {

struct Planet {
  double radius = 6.37122e6, rate = 7.29212e-5;  // of DCMIP
};

class Globe {
 public:
  Globe(std::int64_t n, std::int64_t levels, double top, const Planet& planet);

  std::int64_t n() const { return n_; }
  std::int64_t levels() const { return levels_; }
  double top() const { return top_; }
  double level_thickness() const { return top_ / static_cast<double>(levels_); }
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

  GlobeParameters<double>& flow() { return flow_; }
  const GlobeParameters<double>& flow() const { return flow_; }
  // Sound across levels is implicit.
  void set_split() { split_ = true; }
  bool split() const { return split_; }
  GlobeVariant variant() const {
    if (split_) return flat() ? GlobeVariant::split_flat : GlobeVariant::split_terrain;
    return flat() ? GlobeVariant::flat : GlobeVariant::terrain;
  }
  void set_reference(const ReferenceState& reference);

  // Makes the tables and chooses the kernels.
  // `schedule`: of device.schedule.
  void allocate(Precision precision, const Queue& queue, const std::string& schedule);
  const GlobeKernels& kernels() const { return kernels_; }
  GlobeCall call(const memory::State& state, int in, int out, const Box& box,
                 exec::Clock* clock) const;
  GlobeProbeParameters probe() const;
  std::size_t bytes_needed(Precision precision) const;
  std::int64_t rim_elements() const;

 private:
  const void* upload(const std::vector<double>& values, std::int64_t first);
  std::vector<double> level_table() const;
  std::vector<double> column_table() const;
  std::vector<double> profile_table();

  std::int64_t n_, levels_;
  double top_;
  Planet planet_;
  mesh::PanelGrid grid_;
  std::string ground_;
  bool split_ = false;
  config::Constants constants_;
  ReferenceState reference_;
  GlobeParameters<double> flow_;
  std::array<BeyondSide, 24> beyond_;
  std::array<std::int8_t, 12> owner_{};

  Precision precision_ = Precision::double_;
  Queue queue_;
  GlobeKernels kernels_;
  GlobeCall call_;
  std::vector<memory::Buffer> buffers_;
};

}  // namespace watersmeet::atmosphere

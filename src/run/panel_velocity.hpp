#pragma once
// The velocity components along the panels of a sphere, as states have them (mesh/panel_grid.hpp), from the fields of a snapshot: from the
// Cartesian components of `velocity`, or from velocity_east, velocity_north and, for flows with vertical motion, w.

#include <string>
#include <vector>

#include "io/snapshot_fields.hpp"
#include "mesh/panel_grid.hpp"

namespace watersmeet::run {

class PanelVelocity {
 public:
  // `fields` outlive it. Each panel has n x n cells on `levels` levels; `rises`: the flow has a vertical velocity.
  PanelVelocity(const io::SnapshotFields& fields, std::int64_t n, std::int64_t levels, bool rises)
      : fields_(fields), grid_(n), levels_(levels), rises_(rises) {}

  // Whether the snapshot has the fields for it.
  bool known() const { return cartesian() || by_compass(); }
  // The fields that it needs, for messages.
  std::string names() const;
  // A PanelVelocityComponent of the cells of a box of the stacked panels, [k][j][i]; k = panel * levels + level.
  std::vector<double> read_box(int component, const Box& box) const;

 private:
  bool cartesian() const { return fields_.has("velocity", 2); }
  bool by_compass() const;

  const io::SnapshotFields& fields_;
  mesh::PanelGrid grid_;
  std::int64_t levels_;
  bool rises_;
};

}  // namespace watersmeet::run

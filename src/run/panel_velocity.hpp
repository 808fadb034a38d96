#pragma once
// The velocity along the panels of a sphere, which states have (mesh/panel_grid.hpp), of the fields of a snapshot: of `velocity`, by Cartesian
// components, or of velocity_east and velocity_north, and of what flows upwards also w.

#include <string>
#include <vector>

#include "io/snapshot_fields.hpp"
#include "mesh/panel_grid.hpp"

namespace watersmeet::run {

class PanelVelocity {
 public:
  // `fields` outlive it. n x n cells a panel, of so many levels; `rises`: there is velocity upwards.
  PanelVelocity(const io::SnapshotFields& fields, std::int64_t n, std::int64_t levels, bool rises)
      : fields_(fields), grid_(n), levels_(levels), rises_(rises) {}

  bool known() const { return cartesian() || by_compass(); }
  // The fields that it follows from, for messages.
  std::string names() const;
  // A PanelVelocityComponent in cells of the stack of panels.
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

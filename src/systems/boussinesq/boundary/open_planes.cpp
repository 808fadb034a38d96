#include "systems/boussinesq/boundary/open_planes.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/error.hpp"
#include "exec/stage_registers.hpp"
#include "memory/rounded.hpp"
#include "mesh/box.hpp"
#include "systems/tabulate.hpp"

namespace watersmeet::boussinesq {

namespace {
constexpr int registers = 3, now = 0, next = 1, rate = 2;

// The axes along a side, the lower one first.
int first_axis(int side) { return side / 2 == 0 ? 1 : 0; }
int second_axis(int side) { return side / 2 == 2 ? 1 : 2; }

memory::BlockShape plane_shape(int side, const Index3& part) {
  return {{part[static_cast<std::size_t>(first_axis(side))], 1,
           part[static_cast<std::size_t>(second_axis(side))]},
          {1, 0, 1}};
}

bool touches(int side, const Box& part, const Index3& cells) {
  const std::size_t a = static_cast<std::size_t>(side / 2);
  return side % 2 == 0 ? part.lower[a] == 0 : part.upper[a] == cells[a];
}

// The planes of all ranks along a side that cuts along z cross, as a mesh of their own.
comm::Domain plane_domain(const comm::Domain& domain, const StaggeredGrid& grid, int side,
                          int rank) {
  const Index3& cells = grid.cells();
  const std::int64_t nb = cells[static_cast<std::size_t>(first_axis(side))];
  std::vector<mesh::Part> parts;
  for (const mesh::Part& part : domain.parts) {
    parts.push_back({0, {{0, 0, part.box.lower[2]}, {nb, 1, part.box.upper[2]}}, part.rank});
  }
  const mesh::Mesh whole =
      mesh::make_box({nb, 1, cells[2]}, {0, 0, 0}, {1, 1, 1}, {false, true, grid.periodic(2)});
  return {whole, parts, rank};
}

memory::Buffer tabulated_force(const std::string& text, const StaggeredGrid& grid, int side,
                               const Box& part, const BoundaryConditions& conditions,
                               const BlockLayout& layout, Precision precision, const Queue& queue) {
  config::Expression e(text, {"x", "y", "z", "r"}, conditions.constants());
  std::vector<double> values(static_cast<std::size_t>(layout.elements), 0.0);
  const std::size_t b = static_cast<std::size_t>(first_axis(side)),
                    c = static_cast<std::size_t>(second_axis(side));
  Index3 at{0, 0, 0};
  for (at[c] = part.lower[c]; at[c] < part.upper[c]; ++at[c]) {
    for (at[b] = part.lower[b]; at[b] < part.upper[b]; ++at[b]) {
      const Real3 x = place_on_side(grid, side, side / 2, at);
      const double r = std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
      const double* const columns[4] = {&x[0], &x[1], &x[2], &r};
      double value = 0;
      e.evaluate_row(1, columns, &value);
      if (!std::isfinite(value)) {
        throw Error(ErrorKind::user_input,
                    fmt::format("`{}` of [physics] is {:g} at x = {:g}, y = {:g}, z = {:g}; it "
                                "must be finite",
                                text, value, x[0], x[1], x[2]));
      }
      values[static_cast<std::size_t>(layout.first + (at[b] - part.lower[b]) +
                                      (at[c] - part.lower[c]) * layout.stride[2])] = value;
    }
  }
  return memory::rounded_buffer(values, precision, queue);
}
}  // namespace

OpenPlanes::OpenPlanes(const BoundaryConditions& conditions, const StaggeredGrid& grid,
                       const comm::Domain& domain, comm::Team& team,
                       const std::array<std::string, 3>& acceleration, Precision precision,
                       const Queue& queue)
    : part_(domain.box(0)), word_(size_of(precision)) {
  const bool alone = team.size() == 1;
  for (int a = 0; a < 3; ++a) {
    n_[static_cast<std::size_t>(a)] = part_.size(a);
    wraps_[a] = grid.periodic(a) && (alone || a != 2);
  }
  for (int side = 0; side < 6; ++side) {
    if (!conditions.open(side)) continue;
    any_ = true;
    if (!touches(side, part_, grid.cells())) continue;
    Side s;
    s.side = side;
    s.planes = memory::State({plane_shape(side, n_)}, 1, registers, precision, queue);
    s.exchanged = !alone && side / 2 != 2;
    if (s.exchanged) {
      const comm::Domain planes = plane_domain(domain, grid, side, team.rank());
      std::vector<Index3> widths(planes.parts.size(), Index3{0, 0, 1});
      s.exchange =
          comm::Exchange(planes, mesh::plan_ghosts(planes.mesh, widths, mesh::GhostReach::faces),
                         s.planes, team, queue);
    }
    const std::string& text = acceleration[static_cast<std::size_t>(side / 2)];
    if (!text.empty()) {
      s.force = tabulated_force(text, grid, side, part_, conditions, s.planes.layout(0), precision,
                                queue);
    }
    sides_.push_back(std::move(s));
  }
}

std::size_t OpenPlanes::bytes_needed(const BoundaryConditions& conditions, const Index3& part,
                                     Precision precision) {
  std::size_t sum = 0;
  for (int side = 0; side < 6; ++side) {
    if (!conditions.open(side)) continue;
    // The accelerations of one more plane may vary.
    sum += memory::State::bytes_needed({plane_shape(side, part)}, 1, registers + 1, precision);
  }
  return sum;
}

OpenArrays OpenPlanes::arrays(int reg) const {
  OpenArrays arrays;
  for (const Side& s : sides_) {
    const BlockLayout& layout = s.planes.layout(0);
    const auto face = [&](void* start) {
      return static_cast<void*>(static_cast<char*>(start) +
                                static_cast<std::size_t>(layout.first) * word_);
    };
    OpenArrays::Side& to = arrays.side[arrays.count++];
    to.side = s.side;
    to.n[0] = static_cast<int>(layout.n[0]);
    to.n[1] = static_cast<int>(layout.n[2]);
    to.stride = layout.stride[2];
    to.now = face(s.planes.start(reg == 0 ? now : next));
    to.next = face(s.planes.start(reg == 0 ? next : now));
    to.rate = face(s.planes.start(rate));
    if (s.force.bytes() > 0) to.force = face(s.force.start());
  }
  for (int a = 0; a < 3; ++a) arrays.wraps[a] = wraps_[a];
  return arrays;
}

void OpenPlanes::place_in(GhostRules& rules, int reg) const {
  const OpenArrays planes = arrays(reg);
  for (int s = 0; s < planes.count; ++s) {
    rules.plane[planes.side[s].side] = planes.side[s].now;
    rules.plane_stride[planes.side[s].side] = planes.side[s].stride;
  }
}

void OpenPlanes::exchange(int reg, const Queue& queue) {
  for (Side& s : sides_) {
    if (s.exchanged) s.exchange.fill(s.planes, reg == 0 ? now : next, queue);
  }
}

void OpenPlanes::turn(exec::UpdateForm form, std::size_t stage) {
  for (Side& s : sides_) exec::turn_registers(s.planes, form, stage);
}

void OpenPlanes::turn_back(exec::UpdateForm form, std::size_t stages) {
  for (Side& s : sides_) exec::turn_registers_back(s.planes, form, stages);
}

void OpenPlanes::set_initial(const InitialState& initial, const StaggeredGrid& grid,
                             const Queue& queue) {
  for (Side& s : sides_) {
    const std::size_t a = static_cast<std::size_t>(s.side / 2);
    Box faces = part_;
    faces.lower[a] = s.side % 2 == 0 ? 0 : grid.cells()[a];
    faces.upper[a] = faces.lower[a] + 1;
    const std::vector<double> values = initial.evaluate(s.side / 2, grid, faces, queue.threads);
    memory::store_rounded(s.planes, now, 0, values, queue);
  }
}

// Layer `depth` of the part's cells, counted from the side inwards.
Box OpenPlanes::layer(int side, int depth) const {
  const std::size_t a = static_cast<std::size_t>(side / 2);
  Box box{{0, 0, 0}, n_};
  box.lower[a] = side % 2 == 0 ? depth : n_[a] - 1 - depth;
  box.upper[a] = box.lower[a] + 1;
  return box;
}

// The planes of a side from the layer of the part's cells.
void OpenPlanes::take(Side& s, int depth, const memory::State& state, int reg, const Queue& queue) {
  const Box box = layer(s.side, depth);
  std::vector<char> values(static_cast<std::size_t>(box.count()) * word_);
  memory::copy_box_to_host(state, reg, 0, s.side / 2, box, values.data(), queue);
  memory::copy_interior_from_host(s.planes, depth == 0 ? now : rate, 0, 0, values.data(), queue);
}

void OpenPlanes::take_lower(const memory::State& state, int reg, const Queue& queue) {
  for (Side& s : sides_) {
    if (s.side % 2 == 0) take(s, 0, state, reg, queue);
  }
}

void OpenPlanes::store(memory::State& state, int reg, const Queue& queue) const {
  fill_bytes(state.start(reg), 0, state.register_bytes(), queue);
  for (const Side& s : sides_) {
    for (const int depth : {0, 1}) {
      const Box box = layer(s.side, depth);
      std::vector<char> values(static_cast<std::size_t>(box.count()) * word_);
      memory::copy_interior_to_host(s.planes, depth == 0 ? now : rate, 0, 0, values.data(), queue);
      memory::copy_box_from_host(state, reg, 0, s.side / 2, box, values.data(), queue);
    }
  }
}

void OpenPlanes::restore(const memory::State& state, int reg, const Queue& queue) {
  for (Side& s : sides_) {
    for (const int depth : {0, 1}) take(s, depth, state, reg, queue);
  }
}

}  // namespace watersmeet::boussinesq

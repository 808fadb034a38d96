// Shocks of the initial state: the state behind follows from the uniform state ahead
// (schemes/exact_riemann.hpp).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "schemes/exact_riemann.hpp"
#include "systems/multicomponent/initial/state.hpp"

namespace watersmeet::multicomponent {

using config::FaultKind;
using config::Input;

namespace {
constexpr const char* quantity_names[] = {
    "density", "velocity along x", "velocity along y", "velocity along z", "pressure", "Gamma",
    "Pi"};
constexpr const char* axis_letters[] = {"x", "y", "z"};

std::array<double, InitialState::n_values> list_of(const PointState& s) {
  return {s.rho, s.u, s.v, s.w, s.p, s.Gamma, s.Pi};
}
}  // namespace

// The cells next to the plane, on the side that the shock runs into, must all hold one state: of a
// very large plane the rows of `most` places along each axis are looked at.
bool InitialState::find_state_ahead(Input& input, const std::string& key,
                                    const ShockRequest& request, PointState& ahead) const {
  const std::size_t axis = request.axis;
  const std::int64_t n = grid_.cells[axis];
  // First cell of that side, counted from the plane.
  std::int64_t layer = request.lower ? 0 : n - 1;
  while (layer >= 0 && layer < n &&
         (request.lower ? grid_.place(axis, layer, 0) <= request.place
                        : grid_.place(axis, layer, 0) >= request.place)) {
    layer += request.lower ? 1 : -1;
  }
  if (layer < 0 || layer >= n) {
    input.fault(
        FaultKind::conflict, key,
        fmt::format("the grid has no cells ahead of this shock: it stands at {} = {:g}, and "
                    "the grid goes from {:g} to {:g}",
                    axis_letters[axis], request.place, grid_.lower(axis), grid_.upper(axis)));
    return false;
  }
  Box plane{{0, 0, 0}, grid_.cells};
  plane.lower[axis] = layer;
  plane.upper[axis] = layer + 1;
  Scratch scratch{entries_, {}, {}};
  const auto nx = static_cast<std::size_t>(plane.size(0));
  std::array<std::vector<double>, n_values> values;
  Rows rows{};
  for (std::size_t q = 0; q < n_values; ++q) {
    values[q].resize(nx);
    rows[q] = values[q].data();
  }
  std::array<double, n_values> expected{}, tolerance{};
  constexpr std::int64_t most = 1024;
  const std::vector<std::int64_t> rows_k = chosen(plane.lower[2], plane.upper[2], most),
                                  rows_j = chosen(plane.lower[1], plane.upper[1], most);
  for (const std::int64_t k : rows_k) {
    for (const std::int64_t j : rows_j) {
      for (auto& row : values) std::fill(row.begin(), row.end(), 0.0);
      fill_row(scratch, {plane.lower[0], plane.upper[0], j, k}, rows);
      if (k == rows_k[0] && j == rows_j[0]) {
        ahead = {values[0][0], values[1][0], values[2][0], values[3][0],
                 values[4][0], values[5][0], values[6][0]};
        const double c =
            std::sqrt(((ahead.Gamma + 1) * ahead.p + ahead.Pi) / (ahead.Gamma * ahead.rho));
        expected = list_of(ahead);
        for (std::size_t q = 0; q < n_values; ++q)
          tolerance[q] = 1e-9 * (q >= at_u && q <= at_w ? std::max(c, std::abs(expected[q]))
                                                        : std::abs(expected[q]));
      }
      for (std::size_t i = 0; i < nx; ++i) {
        for (std::size_t q = 0; q < n_values; ++q) {
          if (std::abs(values[q][i] - expected[q]) <= tolerance[q]) continue;
          const Index3 here{plane.lower[0] + static_cast<std::int64_t>(i), j, k};
          const auto place = [&](const Index3& cell) {
            return fmt::format("({:g}, {:g}, {:g})", grid_.place(0, cell[0], 0),
                               grid_.place(1, cell[1], 0), grid_.place(2, cell[2], 0));
          };
          input.fault(
              FaultKind::conflict, key,
              fmt::format("the state ahead of this shock is not uniform: {} is {:g} at {} "
                          "and {:g} at {}",
                          quantity_names[q], expected[q],
                          place({plane.lower[0], rows_j[0], rows_k[0]}), values[q][i], place(here)),
              "move the entries that vary behind the shock in the list, or place the shock "
              "elsewhere");
          return false;
        }
      }
    }
  }
  return true;
}

bool InitialState::place_shock(Input& input, Entry& entry, const ShockRequest& request) {
  const std::string key = entry.path + ".shape";
  PointState state;
  if (!find_state_ahead(input, key, request, state)) return false;
  std::array<double, 3> velocity{state.u, state.v, state.w};
  const schemes::GasState ahead{state.rho, velocity[request.axis], state.p, 1 + 1 / state.Gamma,
                                state.Pi / (state.Gamma + 1)};
  const int direction = request.lower ? 1 : -1;
  schemes::Shock shock;
  try {
    shock = request.mach ? schemes::shock_with_mach(ahead, *request.mach, direction)
                         : schemes::shock_with_jump(ahead, *request.pressure_jump, direction);
  } catch (const Error& error) {
    input.fault(FaultKind::range, key + (request.mach ? ".mach" : ".pressure_jump"), error.what(),
                request.pressure_jump && *request.pressure_jump < 0
                    ? "the other side of the plane is the shocked one when the pressure falls"
                    : "");
    return false;
  }
  velocity[request.axis] = shock.behind.u;
  shock_jump_ = std::max(shock_jump_, shock.behind.p - state.p);
  const std::array<double, n_values> behind{shock.behind.rho, velocity[0], velocity[1], velocity[2],
                                            shock.behind.p,   state.Gamma, state.Pi};
  for (std::size_t q = 0; q < n_values; ++q) add_number(input, entry, q, key, behind[q]);
  notes_[entry.path + ".shock"] = fmt::format(
      "at {} = {:.9g}, behind it density {:.9g}, velocity {:.9g}, pressure {:.9g}, sound speed "
      "{:.9g}; speed {:.9g}, Mach number {:.9g}",
      axis_letters[request.axis], request.place, shock.behind.rho, shock.behind.u, shock.behind.p,
      schemes::sound_speed(shock.behind), shock.speed, shock.mach);
  return true;
}

}  // namespace watersmeet::multicomponent

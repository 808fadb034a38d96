// Columns with implicit sound (column.hpp): what is solved satisfies the equations of its header, written here as they stand.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "systems/atmosphere/box_mesh.hpp"
#include "systems/atmosphere/column.hpp"

using namespace watersmeet;
using namespace watersmeet::atmosphere;

namespace {

constexpr int column_levels = 23;
constexpr double column_gamma = 1.4, column_gravity = 9.81, column_dz = 100, column_dt = 20;

// A column of random air near rest, its reference isothermal.
struct ColumnOfAir {
  std::vector<double> table = std::vector<double>((column_levels + 2 * ghosts) * level_values);
  std::vector<double> values[4], elimination;
  using Solver = SolveColumns<double, BoxMesh<double>>;
  Solver solver;

  explicit ColumnOfAir(bool second) : elimination(column_levels * elimination_values) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> any(-1, 1);
    for (int k = -ghosts; k < column_levels + ghosts; ++k) {
      double* const at = &table[static_cast<std::size_t>((k + ghosts) * level_values)];
      for (const double face : {0.0, 0.5}) {
        const double z = (k + face) * column_dz, rho = 1.2 * std::exp(-z / 8000);
        double* const to = at + (face == 0 ? l_face_rho : l_cell_rho);
        to[0] = rho;
        to[1] = 8000 * column_gravity * rho;
        to[2] = column_gravity * z;
      }
    }
    for (auto& state : values) {
      state.resize(column_levels * n_variables);
      for (int k = 0; k < column_levels; ++k) {
        for (int v = 0; v < n_variables; ++v)
          state[at(k, v)] = any(random) * (v == s_rho ? 0.01 : v == s_energy ? 300 : 5);
      }
    }
    solver.mesh.medium.gravity = column_gravity;
    solver.mesh.medium.spacing_zeta = column_dz;
    solver.mesh.medium.levels = {table.data()};
    solver.mesh.inverse_spacing = {{1 / column_dz, 1 / column_dz, 1 / column_dz}};
    solver.gas_gamma = column_gamma;
    solver.levels = column_levels;
    solver.gamma = 0.3;
    solver.delta = -0.9;
    solver.second = second;
    solver.q = values[0].data();
    solver.y = values[1].data();
    solver.first_sum = values[2].data();
    solver.second_sum = values[3].data();
    solver.elimination = elimination.data();
    solver.stride_j = 1;
    solver.stride_k = 1;
    solver.stride_var = column_levels;
  }
  static std::size_t at(int k, int v) { return static_cast<std::size_t>(v * column_levels + k); }

  void solve() { solver.operator()<double>(0, 0, 0, 1, column_dt); }
};

// The largest departure of (1 - gamma dt F) d from r, over the largest r of the variable.
double departure(const ColumnOfAir& air, const std::vector<double>& d,
                 const std::vector<double>& r) {
  struct Level {
    double rho, u, v, w, enthalpy, kinetic, gz;
  };
  std::vector<Level> all;
  const auto& q = air.values[0];
  for (int k = 0; k < column_levels; ++k) {
    const auto ref = air.solver.mesh.cell_reference<double>({0, 0, k});
    const double rho = ref.rho + q[air.at(k, s_rho)];
    const double u = q[air.at(k, s_mx)] / rho, v = q[air.at(k, s_my)] / rho,
                 w = q[air.at(k, s_mz)] / rho, kinetic = 0.5 * (u * u + v * v + w * w);
    const double p = ref.p + (column_gamma - 1) * (q[air.at(k, s_energy)] - rho * kinetic -
                                                   q[air.at(k, s_rho)] * ref.gz);
    all.push_back({rho, u, v, w, column_gamma / (column_gamma - 1) * p / rho + kinetic + ref.gz,
                   kinetic, ref.gz});
  }
  const auto weight = [&](int own, int other) {
    return 0.75 + 0.25 * all[std::size_t(other)].rho / all[std::size_t(own)].rho;
  };
  const auto pressure = [&](int k) {
    const Level& l = all[std::size_t(k)];
    return (column_gamma - 1) *
           (d[air.at(k, s_energy)] - l.gz * d[air.at(k, s_rho)] - l.u * d[air.at(k, s_mx)] -
            l.v * d[air.at(k, s_my)] + l.kinetic * d[air.at(k, s_rho)]);
  };
  std::vector<double> through(column_levels + 1), push(column_levels + 1);
  for (int k = 1; k < column_levels; ++k) {
    through[std::size_t(k)] =
        0.5 * (weight(k - 1, k) * d[air.at(k - 1, s_mz)] + weight(k, k - 1) * d[air.at(k, s_mz)]);
    push[std::size_t(k)] =
        pressure(k - 1) - pressure(k) -
        0.5 * column_gravity * column_dz * (d[air.at(k - 1, s_rho)] + d[air.at(k, s_rho)]);
  }
  double worst = 0;
  for (int v = 0; v < n_variables; ++v) {
    double largest = 0, off = 0;
    for (int k = 0; k < column_levels; ++k) {
      const auto carried = [&](int face) {
        if (face == 0 || face == column_levels) return 0.0;
        const Level &low = all[std::size_t(face - 1)], &high = all[std::size_t(face)];
        const double mean = v == s_rho      ? 1
                            : v == s_mx     ? 0.5 * (low.u + high.u)
                            : v == s_my     ? 0.5 * (low.v + high.v)
                            : v == s_energy ? 0.5 * (low.enthalpy + high.enthalpy)
                                            : 0;
        return through[std::size_t(face)] * mean;
      };
      double rate = (carried(k) - carried(k + 1)) / column_dz;
      if (v == s_mz) {
        if (k > 0)
          rate += (k == column_levels - 1 ? 1 : 0.5) * push[std::size_t(k)] / weight(k, k - 1) /
                  column_dz;
        if (k < column_levels - 1)
          rate += (k == 0 ? 1 : 0.5) * push[std::size_t(k + 1)] / weight(k, k + 1) / column_dz;
      }
      const std::size_t n = air.at(k, v);
      off = std::max(off, std::abs(d[n] - air.solver.gamma * column_dt * rate - r[n]));
      largest = std::max(largest, std::abs(r[n]));
    }
    worst = std::max(worst, off / largest);
  }
  return worst;
}

}  // namespace

TEST(AtmosphereColumns, SatisfyTheEquationsOfTheHeader) {
  for (const bool second : {false, true}) {
    ColumnOfAir air(second);
    std::vector<double> right(column_levels * n_variables), change(right.size());
    const auto &q = air.values[0], before = air.values[1], &first = air.values[2];
    for (std::size_t n = 0; n < right.size(); ++n) {
      right[n] = second ? air.values[3][n] - q[n] + (-0.9 / 0.3 - 1) * (before[n] - q[n])
                        : first[n] - q[n];
    }
    air.solve();
    for (std::size_t n = 0; n < right.size(); ++n) change[n] = air.values[1][n] - q[n];
    EXPECT_LT(departure(air, change, right), 1e-10);
    change[ColumnOfAir::at(5, s_energy)] += 1e-3;
    EXPECT_GT(departure(air, change, right), 1e-10);
  }
}

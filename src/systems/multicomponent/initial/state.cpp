// Evaluation of the initial state, row by row.
#include "systems/multicomponent/initial/state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace watersmeet::multicomponent {
namespace {

double mixed(double share, double beneath, double above) {
  // Exactly `above` where all is covered, exactly what was there where both are equal.
  return share >= 1 ? above : beneath + share * (above - beneath);
}

bool is_finite(const PointState& s) {
  return std::isfinite(s.rho) && std::isfinite(s.u) && std::isfinite(s.v) && std::isfinite(s.w) &&
         std::isfinite(s.p) && std::isfinite(s.Gamma) && std::isfinite(s.Pi);
}
// Real sound speed: rho c^2 = ((Gamma + 1) p + Pi) / Gamma.
bool is_admissible(const PointState& s) {
  return is_finite(s) && s.rho > 0 && s.Gamma > 0 && (s.Gamma + 1) * s.p + s.Pi > 0;
}

std::array<double*, InitialState::n_values> values_of(PointState& s) {
  return {&s.rho, &s.u, &s.v, &s.w, &s.p, &s.Gamma, &s.Pi};
}

PointState state_of(const std::array<double*, InitialState::n_values>& rows, std::size_t i) {
  return {rows[0][i], rows[1][i], rows[2][i], rows[3][i], rows[4][i], rows[5][i], rows[6][i]};
}

}  // namespace

bool InitialState::cover_row(Entry& entry, Row& part, std::vector<double>& covered) const {
  if (entry.shape) part = touched(*entry.shape, entry.half_width, grid_, part);
  covered.resize(static_cast<std::size_t>(part.end - part.begin));
  if (entry.covers_all()) {
    std::fill(covered.begin(), covered.end(), 1.0);
    return true;
  }
  if (entry.shape) {
    cover(*entry.shape, entry.half_width, grid_, part, covered.data());
  } else {
    entry.inside->cover(grid_, part, entry.half_width, covered.data());
  }
  // Expressions of the entry are evaluated only where they count: elsewhere they may be singular.
  const auto some = [](double a) { return a > 0; };
  const auto first = std::find_if(covered.begin(), covered.end(), some);
  const auto last = std::find_if(covered.rbegin(), covered.rend(), some).base();
  if (first == covered.end()) return false;
  part.end = part.begin + (last - covered.begin());
  part.begin += first - covered.begin();
  covered.erase(last, covered.end());
  covered.erase(covered.begin(), first);
  return true;
}

void InitialState::fill_row(Scratch& scratch, const Row& row, const Rows& out) const {
  for (Entry& entry : scratch.entries) {
    Row part = row;
    if (!cover_row(entry, part, scratch.covered)) continue;
    const std::vector<double>& a = scratch.covered;
    const std::int64_t offset = part.begin - row.begin;
    for (Given& given : entry.given) {
      double* const q = out[given.quantity] + offset;
      if (!given.expression) {
        for (std::size_t i = 0; i < a.size(); ++i) q[i] = mixed(a[i], q[i], given.number);
        continue;
      }
      scratch.values.resize(a.size());
      given.expression->average(grid_, part, scratch.values.data());
      for (std::size_t i = 0; i < a.size(); ++i)
        if (a[i] > 0) q[i] = mixed(a[i], q[i], scratch.values[i]);
    }
  }
}

PointState InitialState::cell_state(Scratch& scratch, const Index3& cell) const {
  PointState state;
  fill_row(scratch, {cell[0], cell[0] + 1, cell[1], cell[2]}, values_of(state));
  return state;
}

void InitialState::evaluate(const Box& box, int threads, const Rows& out) const {
  require(!entries_.empty(), "an initial state that has faults is not to be used");
  std::int64_t first_bad = none;
#pragma omp parallel num_threads(threads) reduction(min : first_bad)
  {
    Scratch scratch{entries_, {}, {}};
#pragma omp for collapse(2) schedule(dynamic, 16)
    for (std::int64_t k = 0; k < box.size(2); ++k) {
      for (std::int64_t j = 0; j < box.size(1); ++j)
        first_bad = std::min(first_bad, fill_row_of(scratch, box, j, k, out));
    }
  }
  if (first_bad != none) refuse_cell(box, first_bad);
}

std::function<void(const Box&, const InitialState::Rows&)> InitialState::reader() const {
  const auto scratch = std::make_shared<Scratch>(Scratch{entries_, {}, {}});
  return [this, scratch](const Box& box, const Rows& out) {
    for (std::int64_t k = 0; k < box.size(2); ++k) {
      for (std::int64_t j = 0; j < box.size(1); ++j) {
        const std::int64_t bad = fill_row_of(*scratch, box, j, k, out);
        if (bad != none) refuse_cell(box, bad);
      }
    }
  };
}

// Row j, k of a box; the first cell outside the equation of state, counted in the box, or none.
std::int64_t InitialState::fill_row_of(Scratch& scratch, const Box& box, std::int64_t j,
                                       std::int64_t k, const Rows& out) const {
  const std::int64_t nx = box.size(0), at = (k * box.size(1) + j) * nx;
  Rows rows = out;
  for (double*& row : rows) {
    row += at;
    std::fill(row, row + nx, 0.0);
  }
  fill_row(scratch, {box.lower[0], box.upper[0], box.lower[1] + j, box.lower[2] + k}, rows);
  for (std::int64_t i = 0; i < nx; ++i)
    if (!is_admissible(state_of(rows, static_cast<std::size_t>(i)))) return at + i;
  return none;
}

void InitialState::refuse_cell(const Box& box, std::int64_t number) const {
  const std::int64_t nx = box.size(0), ny = box.size(1);
  Scratch scratch{entries_, {}, {}};
  const Index3 cell{box.lower[0] + number % nx, box.lower[1] + number / nx % ny,
                    box.lower[2] + number / (nx * ny)};
  const std::optional<Complaint> found = complaint(scratch, cell);
  require(found.has_value(), "a bad cell is bad when it is looked at again");
  throw config::error_at(found->place, found->key + " " + found->message);
}

std::optional<InitialState::Complaint> InitialState::complaint(Scratch& scratch,
                                                               const Index3& cell) const {
  PointState state = cell_state(scratch, cell);
  if (is_admissible(state)) return std::nullopt;
  // The last entry that touched each quantity.
  std::array<const Given*, n_values> source{};
  for (Entry& entry : scratch.entries) {
    Row part{cell[0], cell[0] + 1, cell[1], cell[2]};
    if (!cover_row(entry, part, scratch.covered)) continue;
    for (const Given& given : entry.given) source[given.quantity] = &given;
  }
  const Rows values = values_of(state);
  const auto refuse = [&](std::size_t q, const std::string& demand) {
    const std::string where = fmt::format("at cell ({}, {}, {}), x = {:g}, y = {:g}, z = {:g}",
                                          cell[0], cell[1], cell[2], grid_.place(0, cell[0], 0),
                                          grid_.place(1, cell[1], 0), grid_.place(2, cell[2], 0));
    return Complaint{
        source[q]->key,
        fmt::format("is {} {}; it must be {}", config::shown(*values[q]), where, demand),
        source[q]->place};
  };
  for (std::size_t q = 0; q < n_values; ++q)
    if (source[q] != nullptr && !std::isfinite(*values[q])) return refuse(q, "finite");
  if (!(state.rho > 0)) return refuse(at_rho, "positive");
  return refuse(at_p,
                fmt::format("above {:g}, where the sound speed of the fluid there ({}) falls to 0",
                            0.0 - state.Pi / (state.Gamma + 1), source[at_Gamma]->key));
}

PointState InitialState::state_at(const Real3& x) const {
  PointState state;
  const Rows values = values_of(state);
  for (Entry& entry : at_points_) {
    const double share = entry.shape    ? smeared(entry.shape->distance(x), entry.half_width)
                         : entry.inside ? smeared(-entry.inside->at(x), entry.half_width)
                                        : 1.0;
    if (!(share > 0)) continue;
    for (Given& given : entry.given) {
      double& q = *values[given.quantity];
      q = mixed(share, q, given.expression ? given.expression->at(x) : given.number);
    }
  }
  return state;
}

}  // namespace watersmeet::multicomponent

#include "systems/atmosphere/sphere/globe.hpp"

#include <algorithm>
#include <numbers>

#include "memory/rounded.hpp"
#include "systems/atmosphere/settings/tables.hpp"
#include "systems/fits_device.hpp"

namespace watersmeet::atmosphere {

namespace {

using schemes::table_lead;
using schemes::table_tail;

using std::numbers::pi;
std::int64_t column_row(std::int64_t n) { return n + 2 * ghosts + 1 + row_padding; }
// Ghost levels above those of the last panel look up one panel more.
std::int64_t column_rows(std::int64_t n) { return (mesh::panels + 1) * (n + rows_between_panels); }

}  // namespace

Globe::Globe(std::int64_t n, const Levels& levels, double top, const Planet& planet)
    : n_(n), heights_(levels), top_(top), planet_(planet), grid_(n) {
  PanelMesh<double>& g = flow_.mesh;
  g.n = static_cast<int>(n);
  g.set_levels(static_cast<int>(levels.count()));
  g.curvature_twice = 2 / planet.radius;
  for (int p = 0; p < mesh::panels; ++p) {
    const Real3 rotation = mesh::along_panel(p, {0, 0, 2 * planet.rate});
    std::copy(rotation.begin(), rotation.end(), g.rotation[p].v);
  }
  flow_.mesh.inverse_spacing[0] = flow_.mesh.inverse_spacing[1] = 1 / spacing();
  flow_.mesh.inverse_spacing[2] = 1 / level_thickness();
  flow_.mesh.rim_pitch = table_lead + n_ + table_tail;
}

double Globe::spacing() const { return planet_.radius * (pi / 2) / static_cast<double>(n_); }

void Globe::set_ground(const std::string& text, const config::Constants& constants) {
  ground_ = text;
  constants_ = constants;
}

double Globe::height(double ground, std::int64_t level) const {
  const double zeta = heights_.middle(level);
  return zeta + ground * (1 - zeta / top_);
}

std::vector<double> Globe::ground_corners(int panel, std::int64_t first, std::int64_t end) const {
  const mesh::PanelFrame& f = mesh::panel_frame(panel);
  const mesh::AngleTable corner = mesh::angle_table(n_, 0, -first, end - n_);
  const std::size_t m = corner.tan.size();
  std::vector<double> lon(m), lat(m), values(m * m);
  config::Expression height(flat() ? "0" : ground_, {"lon", "lat"}, constants_);
  for (std::size_t j = 0; j < m; ++j) {
    for (std::size_t i = 0; i < m; ++i) {
      Real3 r;
      for (std::size_t c = 0; c < 3; ++c) {
        r[c] = f.n[c] + corner.tan[i] * f.ea[c] + corner.tan[j] * f.eb[c];
      }
      const mesh::LonLat at = mesh::lon_lat(r);
      lon[i] = at.lon;
      lat[i] = at.lat;
    }
    const double* const columns[2] = {lon.data(), lat.data()};
    height.evaluate_row(m, columns, values.data() + j * m);
  }
  return values;
}

void Globe::set_flow(const BoxParameters& numerics, const ReferenceState& reference,
                     const Sponge& sponge) {
  flow_.gamma = numerics.gamma;
  flow_.kappa = numerics.kappa;
  flow_.limiter = numerics.limiter;
  flow_.riemann = numerics.riemann;
  flow_.least_mach = numerics.least_mach;
  reference_ = reference;
  sponge_ = sponge;
  Medium<double>& m = flow_.mesh.medium;
  m.terrain = has_columns();
  m.gravity = reference.gravity;
  m.bottom = 0;
  m.depth = top_;
  m.inverse_depth = 1 / top_;
  m.spacing_zeta = level_thickness();
}

std::vector<double> Globe::column_table() const {
  const std::int64_t row = column_row(n_), rows = column_rows(n_);
  const std::int64_t corners = n_ + 2 * ghosts + 2;
  std::vector<double> values(static_cast<std::size_t>(column_values * row * rows));
  for (int q = 0; q <= mesh::panels; ++q) {
    const std::vector<double> h = ground_corners(q % mesh::panels, -ghosts, n_ + ghosts + 2);
    put_columns(h, corners, spacing(), spacing(),
                values.data() + q * (n_ + rows_between_panels) * row, row, row * rows);
  }
  return values;
}

double Globe::lowest_ground() const {
  double lowest = 0;
  for (int q = 0; q < mesh::panels; ++q) {
    const std::vector<double> h = ground_corners(q, -ghosts, n_ + ghosts + 2);
    lowest = std::min(lowest, *std::min_element(h.begin(), h.end()));
  }
  return lowest;
}

// Makes the tables of whole panels, and from them those of the cells of this rank.
void Globe::make_tables() {
  const mesh::AngleTable centre = mesh::angle_table(n_, 0.5, table_lead, table_tail);
  const mesh::AngleTable face = mesh::angle_table(n_, 0, table_lead, table_tail);
  PanelMesh<double>& g = flow_.mesh;
  g.tables.tan_centre = tables_.keep(centre.tan, table_lead);
  g.tables.cos2_centre = tables_.keep(centre.cos2, table_lead);
  g.tables.tan_face = tables_.keep(face.tan, table_lead);
  g.tables.cos2_face = tables_.keep(face.cos2, table_lead);
  case_.line = tables_.keep(mesh::ghost_table(n_));
  const mesh::PanelPart& part = case_.links.part;
  flow_.mesh.rim_value = flow_.mesh.rim_pitch * part.panels_here * levels();
  const auto rims = static_cast<std::size_t>(rim_elements(part.panels_here));
  flow_.mesh.rims = tables_.keep(std::vector<double>(rims, 0.0), table_lead);
  case_.rims = const_cast<void*>(flow_.mesh.rims.start);
  Medium<double>& m = g.medium;
  m.levels = tables_.keep(level_table(reference_, heights_, 0, -ghosts, levels() + ghosts + 1));
  if (stretched()) {
    m.stretch = tables_.keep(heights_.stretch_table(-ghosts, levels() + ghosts + 1, kappa_));
  }
  if (has_columns()) {
    m.stride_j = column_row(n_);
    m.stride_value = column_row(n_) * column_rows(n_);
    m.columns = tables_.keep(column_table(), ghosts * column_row(n_) + ghosts);
    keep_profile(reference_, heights_, lowest_ground(), m, tables_);
  }

  case_.flow = flow_;
  PanelMesh<double>& here = case_.flow.mesh;
  for (int a = 0; a < 2; ++a) here.first[a] = part.first[a];
  for (int p = 0; p < part.panels_here; ++p) here.rotation[p] = g.rotation[part.first_panel + p];
  const auto shift = [&](TableAddress<double>& table, std::int64_t elements) {
    table.start = static_cast<const char*>(table.start) +
                  elements * static_cast<std::int64_t>(size_of(precision_));
  };
  for (TableAddress<double>* const table : {&here.tables.tan_centre, &here.tables.cos2_centre,
                                            &here.tables.tan_face, &here.tables.cos2_face}) {
    shift(*table, part.first[0]);
  }
  here.tables.row_shift = part.first[1] - part.first[0];
  if (has_columns()) {
    const std::int64_t row = part.first[1] + part.first_panel * (n_ + rows_between_panels);
    shift(here.medium.columns, m.stride_j * row + part.first[0]);
  }
}

void Globe::make_sponge() {
  std::vector<double> rates;
  for (std::int64_t k = 0; k < levels(); ++k) {
    rates.push_back(sponge_rate(sponge_, top_ - heights_.middle(k)));
  }
  const auto first = std::find_if(rates.begin(), rates.end(), [](double rate) { return rate > 0; });
  case_.sponge = tables_.keep(rates);
  case_.sponge_level = static_cast<int>(first - rates.begin());
}

namespace {
// The transverse term looks along sides of panels, at their ends around corners.
comm::PanelStrips::Reach reach_of(bool transverse) {
  return transverse ? comm::PanelStrips::Reach::all : comm::PanelStrips::Reach::own_sides;
}
}  // namespace

void Globe::allocate(const comm::Domain& domain, comm::Team& team, Precision precision,
                     const Queue& queue, const Traits& traits, bool tile) {
  precision_ = precision;
  queue_ = queue;
  tables_ = TableStore(precision, queue);
  case_.links = mesh::panel_links(mesh::panel_part(n_, levels(), domain.box(0)));
  strips_ = comm::PanelStrips(domain, team, strip_layout(), reach_of(traits.transverse), precision,
                              queue);
  case_.strips = strips_.call();
  make_tables();
  if (sponge_.on()) make_sponge();
  case_.gas_constant = reference_.gas.r_d;
  double frames[mesh::panels][9];
  mesh::copy_panel_frames(frames);
  const mesh::PanelPart& part = case_.links.part;
  for (int here = 0; here < part.panels_here; ++here) {
    std::copy_n(frames[part.first_panel + here], 9, case_.frame[here].v);
  }
  loops_ = make_loops(queue.backend, precision, traits, tile, case_);
  // The transverse term has no other schedule.
  if (tile && queue.backend == Backend::cuda && !traits.transverse &&
      !systems::fits_device(*loops_)) {
    loops_ = make_loops(queue.backend, precision, traits, false, case_);
  }
  if (copies_lines()) {
    const auto elements = static_cast<std::size_t>(strip_layout().elements(mesh::panels));
    case_.strips.strips = tables_.keep_space(elements * size_of(precision));
  }
}

// Collective.
void Globe::couple(const exec::Launch& launch) {
  const auto on = [&](const Queue& queue) {
    exec::Launch moving = launch;
    moving.queue = queue;
    return moving;
  };
  strips_.exchange(
      launch.queue, [&](const Queue& queue, void* message) { loops_->pack(on(queue), message); },
      [&](const Queue& queue, void* message) { loops_->unpack(on(queue), message); });
  if (copies_lines()) loops_->copy_lines(launch);
  loops_->couple(launch);
}

comm::ExchangeSize Globe::exchange_size(const comm::Domain& domain, bool transverse,
                                        Precision precision) const {
  return comm::size_of_strips(domain, strip_layout(),
                              reach_of(transverse) == comm::PanelStrips::Reach::all, precision);
}

// Every rank has the ground of all panels: edges look it up on both sides.
std::size_t Globe::bytes_needed(std::int64_t panels_here, Precision precision) const {
  std::int64_t elements = rim_elements(panels_here) + 9 * flow_.mesh.rim_pitch;
  if (has_columns()) elements += column_values * column_row(n_) * column_rows(n_);
  return static_cast<std::size_t>(elements) * size_of(precision) +
         comm::PanelStrips::bytes_needed(strip_layout(), panels_here, precision);
}

}  // namespace watersmeet::atmosphere

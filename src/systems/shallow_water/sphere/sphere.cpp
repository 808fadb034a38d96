#include "systems/shallow_water/sphere/sphere.hpp"

#include <algorithm>
#include <numbers>

#include "core/error.hpp"
#include "memory/rounded.hpp"

namespace watersmeet::shallow_water {

namespace {

using schemes::table_lead, schemes::table_tail;
using std::numbers::pi;

// Components of a vector along the triads of all panels.
Vec<Vec<double, 3>, 6> along_panels(const Real3& w) {
  Vec<Vec<double, 3>, 6> all;
  for (int p = 0; p < mesh::panels; ++p) {
    const Real3 local = mesh::along_panel(p, w);
    std::copy(local.begin(), local.end(), all[p].v);
  }
  return all;
}

mesh::StripLayout strip_layout(std::int64_t n) { return {static_cast<int>(n), 1, strip_values}; }

}  // namespace

Sphere::Sphere(std::int64_t n, const Planet& planet, Case& of)
    : n_(n), planet_(planet), grid_(n), case_(of) {
  PanelMesh<double>& panel = case_.panel;
  panel.inverse_spacing = {{1 / spacing(), 1 / spacing()}};
  panel.curvature = 2 / planet.radius;
  Real3 rotation = planet.axis();
  for (double& c : rotation) c *= 2 * planet.rate;
  panel.rotation = along_panels(rotation);
  double frames[mesh::panels][9];
  mesh::copy_panel_frames(frames);
  for (int p = 0; p < mesh::panels; ++p) std::copy_n(frames[p], 9, case_.frame.frame[p].v);
}

double Sphere::spacing() const { return planet_.radius * (pi / 2) / static_cast<double>(n_); }

void Sphere::prescribe_wind(double rate) {
  case_.panel.advection = true;
  Real3 wind = planet_.axis();
  for (double& c : wind) c *= rate * planet_.radius;
  case_.panel.wind = along_panels(wind);
}

// Makes the tables of whole panels, and from them those of the cells of this rank.
void Sphere::make_tables(Precision precision, const Queue& queue) {
  // Where an element lies for the kernels.
  const auto after = [&](const void* start, std::int64_t elements) -> const void* {
    return static_cast<const char*>(start) +
           elements * static_cast<std::int64_t>(size_of(precision));
  };
  const auto upload = [&](const std::vector<double>& values, std::int64_t first) {
    tables_.push_back(memory::rounded_buffer(values, precision, queue));
    return after(tables_.back().start(), first);
  };
  const mesh::AngleTable centre = mesh::angle_table(n_, 0.5, table_lead, table_tail);
  const mesh::AngleTable face = mesh::angle_table(n_, 0, table_lead, table_tail);
  const mesh::PanelPart& part = case_.links.part;
  PanelMesh<double>& whole = case_.whole_panel;
  whole = case_.panel;
  whole.tables = {{upload(centre.tan, table_lead)},
                  {upload(centre.cos2, table_lead)},
                  {upload(face.tan, table_lead)},
                  {upload(face.cos2, table_lead)},
                  0};
  // One row of each value for every side of the panels here.
  whole.rim_pitch = table_lead + n_ + table_tail;
  const std::int64_t rows = part.panels_here * 4 * n_rim_values;
  const std::vector<double> rims(static_cast<std::size_t>(rows * whole.rim_pitch), 0.0);
  whole.rims = {const_cast<void*>(upload(rims, table_lead))};
  whole.first_panel = part.first_panel;

  PanelMesh<double>& here = case_.panel;
  here = whole;
  const int i = part.first[0], j = part.first[1];
  for (TableAddress<double>* table : {&here.tables.tan_centre, &here.tables.cos2_centre,
                                      &here.tables.tan_face, &here.tables.cos2_face}) {
    table->start = after(table->start, i);
  }
  here.tables.row_shift = j - i;
  here.first = {{i, j}};
  here.rim_face = {{{{-i, part.n - i}}, {{-j, part.n - j}}}};

  case_.line = {upload(mesh::ghost_table(n_), 0)};
}

void Sphere::allocate(const comm::Domain& domain, comm::Team& team, Precision precision,
                      const Queue& queue) {
  case_.links = mesh::panel_links(mesh::panel_part(n_, 1, domain.box(0)));
  make_tables(precision, queue);
  // The corners of the transverse term need a third panel, and the strips are few compared with cells.
  strips_ = comm::PanelStrips(domain, team, strip_layout(n_), comm::PanelStrips::Reach::all,
                              precision, queue);
  case_.strips = strips_.call();
}

// Collective.
void Sphere::couple(Loops& loops, const exec::Launch& launch, bool bed_alone) {
  const auto on = [&](const Queue& queue) {
    exec::Launch moving = launch;
    moving.queue = queue;
    return moving;
  };
  strips_.exchange(
      launch.queue, [&](const Queue& queue, void* message) { loops.pack(on(queue), message); },
      [&](const Queue& queue, void* message) { loops.unpack(on(queue), message); });
  loops.couple(launch, bed_alone);
}

comm::ExchangeSize Sphere::exchange_size(const comm::Domain& domain, Precision precision) const {
  return comm::size_of_strips(domain, strip_layout(n_), true, precision);
}

std::size_t Sphere::bytes_needed(std::int64_t n, std::int64_t panels, Precision precision) {
  const std::int64_t row = table_lead + n + table_tail;
  const std::int64_t elements = 9 * row + panels * 4 * n_rim_values * row;
  return static_cast<std::size_t>(elements) * size_of(precision) +
         comm::PanelStrips::bytes_needed(strip_layout(n), panels, precision);
}

}  // namespace watersmeet::shallow_water

#include "systems/shallow_water/sphere.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/error.hpp"
#include "memory/rounded.hpp"

namespace watersmeet::shallow_water {

namespace {

constexpr double pi = std::numbers::pi;

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

Sphere::Sphere(std::int64_t n, const Planet& planet) : n_(n), planet_(planet), grid_(n) {
  Real3 rotation = planet.axis();
  for (double& c : rotation) c *= 2 * planet.rate;
  panels_.sphere.curvature = 2 / planet.radius;
  panels_.sphere.rotation = along_panels(rotation);
  double frames[mesh::panels][9];
  mesh::copy_panel_frames(frames);
  for (int p = 0; p < mesh::panels; ++p) std::copy_n(frames[p], 9, panels_.frame[p].v);
}

double Sphere::spacing() const { return planet_.radius * (pi / 2) / static_cast<double>(n_); }

void Sphere::prescribe_wind(double rate) {
  panels_.sphere.advection = true;
  Real3 wind = planet_.axis();
  for (double& c : wind) c *= rate * planet_.radius;
  panels_.sphere.wind = along_panels(wind);
}

void Sphere::make_tables(Precision precision, const Queue& queue) {
  const auto upload = [&](const std::vector<double>& values) {
    return memory::rounded_buffer(values, precision, queue);
  };
  const mesh::AngleTable centre = mesh::angle_table(n_, 0.5, table_lead, table_tail);
  const mesh::AngleTable face = mesh::angle_table(n_, 0, table_lead, table_tail);
  panels_.tan_centre = upload(centre.tan);
  panels_.cos2_centre = upload(centre.cos2);
  panels_.tan_face = upload(face.tan);
  panels_.cos2_face = upload(face.cos2);
  const std::vector<mesh::GhostStencil> line = mesh::ghost_line(n_, 0);
  std::vector<double> values(5 * line.size());
  for (std::size_t m = 0; m < line.size(); ++m) {
    values[m] = static_cast<double>(line[m].first);
    for (std::size_t s = 0; s < 4; ++s) values[(1 + s) * line.size() + m] = line[m].weight[s];
  }
  panels_.line = upload(values);
  // Of every side here one row of each value.
  panels_.rim_pitch = table_lead + n_ + table_tail;
  const std::int64_t rows = panels_.links.part.panels_here * 4 * n_rim_values;
  panels_.rims =
      upload(std::vector<double>(static_cast<std::size_t>(rows * panels_.rim_pitch), 0.0));
}

void Sphere::allocate(const comm::Domain& domain, comm::Team& team, Precision precision,
                      const Queue& queue) {
  panels_.links = mesh::panel_links(mesh::panel_part(n_, 1, domain.box(0)));
  make_tables(precision, queue);
  // The corners of the transverse term need a third panel, and the strips are little beside cells.
  strips_ = comm::PanelStrips(domain, team, strip_layout(n_), comm::PanelStrips::Reach::all,
                              precision, queue);
  panels_.strips = strips_.call();
}

// Collective.
void Sphere::couple(SphereLoops& loops, const exec::Launch& launch, bool bed_alone) {
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

std::size_t Sphere::bytes_needed(std::int64_t n, std::int64_t panels, Precision precision) {
  const std::int64_t row = table_lead + n + table_tail;
  const std::int64_t elements = 9 * row + panels * 4 * n_rim_values * row;
  return static_cast<std::size_t>(elements) * size_of(precision) +
         comm::PanelStrips::bytes_needed(strip_layout(n), panels, precision);
}

}  // namespace watersmeet::shallow_water

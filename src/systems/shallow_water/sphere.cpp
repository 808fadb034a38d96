#include "systems/shallow_water/sphere.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/error.hpp"
#include "memory/rounded.hpp"

namespace watersmeet::shallow_water {

namespace {

constexpr double pi = std::numbers::pi;

void along_panel(int panel, const Real3& w, double* out) {
  const Real3 local = mesh::along_panel(panel, w);
  std::copy(local.begin(), local.end(), out);
}

mesh::StripLayout strip_layout(std::int64_t n) { return {static_cast<int>(n), 1, strip_values}; }

}  // namespace

Sphere::Sphere(std::int64_t n, const Planet& planet) : n_(n), planet_(planet), grid_(n) {
  call_.radius = planet.radius;
  Real3 rotation = planet.axis();
  for (double& c : rotation) c *= 2 * planet.rate;
  for (int p = 0; p < mesh::panels; ++p) along_panel(p, rotation, call_.rotation[p]);
  const auto beyond = mesh::beyond_panels();
  std::copy(beyond.begin(), beyond.end(), call_.beyond);
}

double Sphere::spacing() const { return planet_.radius * (pi / 2) / static_cast<double>(n_); }

void Sphere::prescribe_wind(double rate) {
  call_.advection = true;
  Real3 wind = planet_.axis();
  for (double& c : wind) c *= rate * planet_.radius;
  for (int p = 0; p < mesh::panels; ++p) along_panel(p, wind, call_.wind[p]);
}

SphereProbeParameters Sphere::probe() const {
  SphereProbeParameters p;
  p.gravity = planet_.gravity;
  p.inverse_spacing = 1 / spacing();
  mesh::copy_panel_frames(p.frame);
  return p;
}

const void* Sphere::upload(memory::Buffer& buffer, const std::vector<double>& values) {
  buffer = memory::rounded_buffer(values, precision_, queue_);
  return buffer.start();
}

void Sphere::make_tables() {
  const auto cell0 = [&](const void* start) {
    return static_cast<const void*>(static_cast<const char*>(start) +
                                    table_lead * static_cast<std::int64_t>(size_of(precision_)));
  };
  const mesh::AngleTable centre = mesh::angle_table(n_, 0.5, table_lead, table_tail);
  const mesh::AngleTable face = mesh::angle_table(n_, 0, table_lead, table_tail);
  call_.tan_centre = cell0(upload(tan_centre_, centre.tan));
  call_.cos2_centre = cell0(upload(cos2_centre_, centre.cos2));
  call_.tan_face = cell0(upload(tan_face_, face.tan));
  call_.cos2_face = cell0(upload(cos2_face_, face.cos2));
  const std::vector<mesh::GhostStencil> line = mesh::ghost_line(n_, 0);
  std::vector<double> values(5 * line.size());
  for (std::size_t m = 0; m < line.size(); ++m) {
    values[m] = static_cast<double>(line[m].first);
    for (std::size_t s = 0; s < 4; ++s) values[(1 + s) * line.size() + m] = line[m].weight[s];
  }
  call_.line = upload(line_, values);
  // Of every side here one row of each value.
  call_.rim_pitch = table_lead + n_ + table_tail;
  const std::int64_t rows = call_.part.panels_here * 4 * n_rim_values;
  call_.rims = const_cast<void*>(cell0(
      upload(rims_, std::vector<double>(static_cast<std::size_t>(rows * call_.rim_pitch), 0.0))));
}

void Sphere::allocate(const comm::Domain& domain, comm::Team& team, Precision precision,
                      Variant variant, const Queue& queue) {
  queue_ = queue;
  precision_ = precision;
  call_.part = mesh::panel_part(n_, 1, domain.box(0));
  call_.edges = mesh::edges_of(call_.part, call_.owner);
  make_tables();
  // The corners of the transverse term need a third panel, and the strips are little beside cells.
  strips_ = comm::PanelStrips(domain, team, strip_layout(n_), comm::PanelStrips::Reach::all,
                              precision, queue);
  call_.strips = strips_.call();
  kernels_ = queue.backend == Backend::cpu ? cpu_sphere_kernels(precision, variant)
                                           : cuda_sphere_kernels(precision, variant);
}

// Collective.
void Sphere::couple(const StageCall& call, bool bed_alone) {
  const auto on = [&](const Queue& queue) {
    StageCall moving = call;
    moving.queue = queue;
    return moving;
  };
  strips_.exchange(
      call.queue,
      [&](const Queue& queue, void* message) { kernels_.pack(on(queue), call_, message); },
      [&](const Queue& queue, void* message) { kernels_.unpack(on(queue), call_, message); });
  kernels_.couple(call, call_, bed_alone);
}

std::size_t Sphere::bytes_needed(std::int64_t n, std::int64_t panels, Precision precision) {
  const std::int64_t row = table_lead + n + table_tail;
  const std::int64_t elements = 9 * row + panels * 4 * n_rim_values * row;
  return static_cast<std::size_t>(elements) * size_of(precision) +
         comm::PanelStrips::bytes_needed(strip_layout(n), panels, precision);
}

}  // namespace watersmeet::shallow_water

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

std::int64_t strip_elements(std::int64_t n, std::int64_t panels) {
  return panels * 4 * strip_layers * strip_values * n;
}

// The elements of the strips of all panels that cells of a box have, in the order of a message.
std::vector<std::int32_t> strip_elements_of(std::int64_t n, const Box& box) {
  std::vector<std::int32_t> elements;
  for (std::int64_t panel = box.lower[2]; panel < box.upper[2]; ++panel) {
    for (std::size_t side = 0; side < 4; ++side) {
      const std::size_t across = side / 2, along = 1 - across;
      for (std::int64_t layer = 0; layer < strip_layers; ++layer) {
        const std::int64_t line = side % 2 == 1 ? n - 1 - layer : layer;
        if (line < box.lower[across] || line >= box.upper[across]) continue;
        const std::int64_t strip =
            (panel * 4 + static_cast<std::int64_t>(side)) * strip_layers + layer;
        for (std::int64_t v = 0; v < strip_values; ++v) {
          for (std::int64_t m = box.lower[along]; m < box.upper[along]; ++m) {
            elements.push_back(static_cast<std::int32_t>((strip * strip_values + v) * n + m));
          }
        }
      }
    }
  }
  return elements;
}

}  // namespace

Sphere::Sphere(std::int64_t n, const Planet& planet) : n_(n), planet_(planet), grid_(n) {
  call_.n = static_cast<int>(n);
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
  const std::int64_t rows = call_.panels_here * 4 * n_rim_values;
  call_.rims = const_cast<void*>(cell0(
      upload(rims_, std::vector<double>(static_cast<std::size_t>(rows * call_.rim_pitch), 0.0))));
}

void Sphere::allocate(const comm::Domain& domain, comm::Team& team, Precision precision,
                      Variant variant, const Queue& queue) {
  queue_ = queue;
  precision_ = precision;
  team_ = &team;
  call_.first_panel = static_cast<int>(domain.box(0).lower[2]);
  call_.panels_here = static_cast<int>(domain.box(0).size(2));
  for (std::size_t a = 0; a < 2; ++a) {
    call_.first[a] = static_cast<int>(domain.box(0).lower[a]);
    call_.after[a] = static_cast<int>(domain.box(0).upper[a]);
  }
  make_tables();
  const auto touched = [&](int panel, int side) {
    const int across = side / 2;
    return panel >= call_.first_panel && panel < call_.first_panel + call_.panels_here &&
           (side % 2 == 1 ? call_.after[across] == call_.n : call_.first[across] == 0);
  };
  call_.edges = 0;
  for (int p = 0; p < mesh::panels; ++p) {
    for (int side = 0; side < 4; ++side) {
      const BeyondSide& other = call_.beyond[4 * p + side];
      if (p > other.panel) continue;  // the lower panel owns the edge
      if (!touched(p, side) && !touched(other.panel, other.side)) continue;
      call_.owner[call_.edges++] = static_cast<std::int8_t>(4 * p + side);
    }
  }
  plan_messages(domain);
  kernels_ = queue.backend == Backend::cpu ? cpu_sphere_kernels(precision, variant)
                                           : cuda_sphere_kernels(precision, variant);
}

// The cells along the sides of all panels to all other ranks: an edge is interpolated along its
// whole line, and the corners of the transverse term need a third panel. The strips of a sphere are
// 192 n values, little beside its cells.
void Sphere::plan_messages(const comm::Domain& domain) {
  if (team_->size() == 1) return;
  require(team_->transport() != nullptr, "several ranks need a transport");
  require(strip_elements(n_, mesh::panels) < std::int64_t{1} << 31,
          "strips are counted in 32 bits");
  const std::size_t word = size_of(precision_);
  std::vector<std::int32_t> here, there;
  for (const mesh::Part& part : domain.parts) {
    if (part.rank == team_->rank()) here = strip_elements_of(n_, part.box);
  }
  for (const mesh::Part& part : domain.parts) {
    if (part.rank == team_->rank()) continue;
    const std::vector<std::int32_t> theirs = strip_elements_of(n_, part.box);
    if (!here.empty()) sends_.push_back({part.rank, 0, here.size() * word});
    if (!theirs.empty()) {
      receives_.push_back({part.rank, there.size() * word, theirs.size() * word});
    }
    there.insert(there.end(), theirs.begin(), theirs.end());
  }
  const MemorySpace working = memory::working_space(queue_.backend);
  const auto hold = [&](memory::Buffer& buffer, const std::vector<std::int32_t>& elements) {
    buffer = memory::Buffer(working, std::max<std::size_t>(1, elements.size()) * sizeof(int));
    copy_bytes(buffer.start(), elements.data(), elements.size() * sizeof(int), queue_);
    synchronize(queue_);
    return static_cast<const std::int32_t*>(buffer.start());
  };
  call_.elements_here = hold(elements_here_, here);
  call_.elements_there = hold(elements_there_, there);
  call_.count_here = std::ssize(here);
  call_.count_there = std::ssize(there);
  strips_ =
      memory::Buffer(working, static_cast<std::size_t>(strip_elements(n_, mesh::panels)) * word);
  call_.strips = strips_.start();
  const MemorySpace space = team_->transport()->buffer_space();
  out_ = memory::Buffer(space, std::max<std::size_t>(1, here.size()) * word);
  in_ = memory::Buffer(space, std::max<std::size_t>(1, there.size()) * word);
}

// Collective, also where a part touches no side.
void Sphere::exchange(const StageCall& call) {
  if (team_->size() == 1) return;
  StageCall moving = call;
  moving.queue = team_->exchange_queue();
  team_->order(call.queue, moving.queue);
  kernels_.pack(moving, call_, out_.start());
  team_->transport()->start(sends_, out_.start(), receives_, in_.start(), moving.queue);
  team_->transport()->finish(moving.queue);
  kernels_.unpack(moving, call_, in_.start());
  team_->order(moving.queue, call.queue);
}

void Sphere::couple(const StageCall& call, bool bed_alone) {
  exchange(call);
  kernels_.couple(call, call_, bed_alone);
}

std::size_t Sphere::bytes_sent() const {
  std::size_t sum = 0;
  for (const comm::Message& m : sends_) sum += m.size;
  return sum;
}

std::size_t Sphere::bytes_needed(std::int64_t n, std::int64_t panels, Precision precision) {
  const std::int64_t row = table_lead + n + table_tail;
  // Strips, messages of as many values at most, and their tables.
  const std::int64_t elements =
      9 * row + panels * 4 * n_rim_values * row + 4 * strip_elements(n, mesh::panels);
  return static_cast<std::size_t>(elements) * size_of(precision);
}

}  // namespace watersmeet::shallow_water

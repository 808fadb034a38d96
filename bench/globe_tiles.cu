// One stage of the atmosphere on a cubed sphere by marching tiles of several shapes, over flat
// ground, with the formulas of terrain and those of a deep atmosphere, without and with the
// transverse term: what chooses the numbers of SphereTuning
// (systems/atmosphere/stage_tile_cuda.hpp). The second stage of ssp-rk3, which reads two solutions
// and writes one, without the launch for the edges of panels.
//
//   cmake --build build/cuda --target bench_globe_tiles
//   build/cuda/bench/bench_globe_tiles [N LEVELS [REPEATS]]
//
// 137 116 40 when not given.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "core/error.hpp"
#include "exec/clock_access.hpp"
#include "exec/time_scheme.hpp"
#include "memory/rounded.hpp"
#include "memory/state.hpp"
#include "mesh/cubed_sphere.hpp"
#include "schemes/kappa.hpp"
#include "systems/atmosphere/settings/reference.hpp"
#include "systems/atmosphere/stage_tile_cuda.hpp"
#include "tile_timing.hpp"

namespace {

using namespace watersmeet;
using namespace watersmeet::atmosphere;

template <int rows_, int blocks_, bool split_ = true>
struct Shape {
  static constexpr int rows = rows_, blocks = blocks_;
  static constexpr bool split = split_;
};

struct Setting {
  std::int64_t n = 137, levels = 116;
  int repeats = 40;
};

// Air at 250 K below a lid at 30 km with small waves in all fields; ground of height 0, which the
// loops over terrain do not know.
struct Problem {
  Queue queue;
  Precision precision;
  SphereCase air;
  SphereParameters& flow = air.flow;
  memory::State state;
  std::vector<memory::Buffer> buffers;
  exec::Launch launch;

  Problem(const Setting& s, Precision p, const Queue& q) : queue(q), precision(p) {
    const double radius = 6.37122e6, dz = 30e3 / static_cast<double>(s.levels);
    ReferenceState reference;
    reference.kind = ReferenceKind::isothermal;
    reference.temperature = 250;
    PanelMesh<double>& g = flow.mesh;
    g.n = static_cast<int>(s.n);
    g.set_levels(static_cast<int>(s.levels));
    g.curvature_twice = 2 / radius;
    g.inverse_radius = 1 / radius;  // read by loops of a deep atmosphere alone
    for (int p = 0; p < 6; ++p) g.rotation[p][2] = 1e-4;
    Medium<double>& m = g.medium;
    m.gravity = reference.gravity;
    m.depth = 30e3;
    m.inverse_depth = 1 / m.depth;
    m.spacing_zeta = dz;
    const double dx = radius * std::acos(0.0) / static_cast<double>(s.n);
    g.inverse_spacing[0] = g.inverse_spacing[1] = 1 / dx;
    g.inverse_spacing[2] = 1 / dz;
    flow.gamma = reference.gas.gamma();
    flow.kappa = schemes::kappa_weights(1.0 / 3.0, -1.0 / 24);  // c3 is read with it alone
    g.rim_pitch = schemes::table_lead + s.n + schemes::table_tail;
    g.rim_value = g.rim_pitch * 6 * s.levels;
    make_tables(s, reference, dz);
    memory::BlockShape shape{{s.n, s.n, 6 * s.levels}, {ghosts, ghosts, ghosts}};
    state = memory::State({shape}, n_variables, 3, precision, queue);
    fill_with_waves(state, shape.n, precision, {1e-3, 0.1, 0.1, 0.01, 30}, queue);
    buffers.emplace_back(memory::working_space(queue.backend), sizeof(exec::Clock));
    launch.clock = buffers.back().as<exec::Clock>();
    exec::Clock running;
    running.active = 1;
    running.dt = 0.01;
    exec::write_clock(launch.clock, running, queue);
    launch.registers.layout = &state.layout(0);
    launch.registers.in = state.start(0);
    launch.registers.out = state.start(1);
    launch.registers.increment = state.start(2);
    launch.box = {{0, 0, 0}, shape.n};
    launch.update = exec::time_scheme("ssp-rk3").stages[1];
    launch.queue = queue;
  }
  Problem(const Problem&) = delete;

 private:
  TableAddress<double> upload(const std::vector<double>& values, std::int64_t first) {
    buffers.push_back(memory::rounded_buffer(values, precision, queue));
    return {buffers.back().as<char>() + first * std::int64_t(size_of(precision))};
  }
  // As Globe has them (systems/atmosphere/sphere/globe.cpp).
  void make_tables(const Setting& s, const ReferenceState& reference, double dz) {
    const std::int64_t lead = schemes::table_lead, tail = schemes::table_tail;
    const mesh::AngleTable centre = mesh::angle_table(s.n, 0.5, lead, tail);
    const mesh::AngleTable face = mesh::angle_table(s.n, 0, lead, tail);
    PanelMesh<double>& g = flow.mesh;
    g.tables.tan_centre = upload(centre.tan, lead);
    g.tables.cos2_centre = upload(centre.cos2, lead);
    g.tables.tan_face = upload(face.tan, lead);
    g.tables.cos2_face = upload(face.cos2, lead);
    g.rims = upload(std::vector<double>(std::size_t(4 * n_rim_values * g.rim_value), 0.0), lead);
    std::vector<double> levels;
    for (std::int64_t k = -ghosts; k <= s.levels + ghosts; ++k) {
      const double middle = (double(k) + 0.5) * dz, bottom = double(k) * dz;
      levels.insert(levels.end(),
                    {reference.rho(middle), reference.p(middle), reference.gravity * middle,
                     reference.theta(middle), reference.rho(bottom), reference.p(bottom),
                     reference.gravity * bottom, reference.exner(bottom)});
    }
    Medium<double>& m = g.medium;
    m.levels = upload(levels, 0);
    m.stride_j = s.n + 2 * ghosts + 65;
    m.stride_value = m.stride_j * 7 * (s.n + rows_between_panels);
    m.columns = upload(std::vector<double>(std::size_t(column_values * m.stride_value), 0.0),
                       ghosts * m.stride_j + ghosts);
    const CubicProfile profile = tabulate(reference, -4 * dz, m.depth + 4 * dz, 512);
    m.profile_lower = profile.lower;
    m.inverse_step = 1 / profile.step;
    m.last_interval = profile.intervals - 1;
    m.profile = upload(profile.coefficients, 0);
  }
};

template <class R, Traits traits, class Tuning>
void measure(const Setting& s, const Problem& problem) {
  using F = Functors<R, traits>;
  using Scheme = typename F::Flow;
  using Ending = typename F::Finish;
  using Tile = exec::CompactShape<R, Scheme, Tuning>;
  const exec::Launch& l = problem.launch;
  const auto once = [&] {
    exec::face_stage_compact<R, Scheme, Ending, Tile>(
        exec::arrays_of<R>(l), exec::rounded<R>(l.update), F::flow(problem.air),
        F::finish(problem.air), l.clock, l.queue);
  };
  constexpr bool across = traits.transverse;
  const char* const name = traits.deep      ? (across ? "deep c3" : "deep")
                           : traits.terrain ? (across ? "terrain c3" : "terrain")
                                            : (across ? "flat c3" : "flat");
  const double cells = double(s.n) * double(s.n) * 6 * double(s.levels);
  time_tile<R, Tuning>(name, cells, s.repeats, exec::face_compact_report<R, Scheme, Ending, Tile>(),
                       problem.queue, once);
}

template <class R, Traits traits>
void measure_shapes(const Setting& s, const Problem& problem) {
  if constexpr (sizeof(R) == 8) {
    measure<R, traits, Shape<16, 1>>(s, problem);
    measure<R, traits, Shape<12, 1>>(s, problem);
    measure<R, traits, Shape<8, 1>>(s, problem);
    measure<R, traits, Shape<8, 2>>(s, problem);
    measure<R, traits, Shape<4, 3>>(s, problem);
  } else {
    measure<R, traits, Shape<8, 3>>(s, problem);
    measure<R, traits, Shape<8, 4>>(s, problem);
    measure<R, traits, Shape<12, 2>>(s, problem);
    measure<R, traits, Shape<16, 1>>(s, problem);
  }
}

// Of a sphere with equally thick levels.
constexpr Traits flat{.sphere = true, .equal = true, .lmars = true};
constexpr Traits terrain{.sphere = true, .terrain = true, .equal = true, .lmars = true};
constexpr Traits deep{.sphere = true, .terrain = true, .deep = true, .equal = true, .lmars = true};
constexpr Traits flat_across{.sphere = true, .equal = true, .transverse = true};

}  // namespace

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  Setting s;
  if (argc > 2) {
    s.n = std::strtoll(argv[1], nullptr, 10);
    s.levels = std::strtoll(argv[2], nullptr, 10);
  }
  if (argc > 3) s.repeats = std::atoi(argv[3]);
  try {
    select_cuda_device(0);
    Queue queue = make_cuda_queue();
    {
      const Problem problem(s, Precision::double_, queue);
      measure_shapes<double, flat>(s, problem);
      measure_shapes<double, terrain>(s, problem);
      measure_shapes<double, deep>(s, problem);
      measure_shapes<double, flat_across>(s, problem);
    }
    {
      const Problem problem(s, Precision::single_, queue);
      measure_shapes<float, flat>(s, problem);
      measure_shapes<float, terrain>(s, problem);
      measure_shapes<float, deep>(s, problem);
      measure_shapes<float, flat_across>(s, problem);
    }
    destroy_queue(queue);
  } catch (const Error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}

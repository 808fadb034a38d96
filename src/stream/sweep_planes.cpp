// Where the planes of a sweep are: their places in the window, their copies from and to the host, and their ghosts.
#include <algorithm>

#include "core/error.hpp"
#include "memory/rounded.hpp"
#include "mesh/box.hpp"
#include "mesh/ghosts.hpp"
#include "stream/sweep.hpp"

namespace watersmeet::stream {

exec::Launch Planes::launch() const {
  exec::Launch l;
  l.registers = registers;
  l.registers.layout = &layout;
  l.registers.extra_layout = &layout;
  l.box = {{0, 0, 0}, {layout.n[0], layout.n[1], layout.n[2]}};
  l.clock = clock;
  l.queue = queue;
  return l;
}

std::vector<Sweep::Range> Sweep::parts(const Range& all) const {
  std::vector<Range> found;
  for (std::int64_t z = all.lower; z < all.upper; z = found.back().upper)
    found.push_back({z, std::min(all.upper, z + planes_ - wrapped(z))});
  return found;
}

// The plane of the part.
std::int64_t Sweep::wrapped(std::int64_t plane) const {
  return (((plane + origin_) % planes_) + planes_) % planes_;
}

// Windows of all states have the same rows.
std::byte* Sweep::at(const memory::State& state, int reg, std::int64_t plane) const {
  return static_cast<std::byte*>(state.start(reg)) +
         (plane - base_) * window_.layout(0).stride[axis_] * static_cast<std::int64_t>(word_);
}

Planes Sweep::planes(const Range& range, int in, int out, int increment, const Queue& queue) const {
  Planes p;
  p.layout = window_.layout(0);
  p.layout.n[axis_] = range.upper - range.lower;
  p.registers.in = at(in, range.lower);
  p.registers.out = at(out, range.lower);
  p.registers.increment = increment < window_.registers() ? at(increment, range.lower) : nullptr;
  p.rates = plan_.demand.host_updates;
  if (fixed_) {
    p.fixed = at(in, range.lower) + static_cast<std::size_t>(p.layout.stride_var) *
                                        static_cast<std::size_t>(host_.variables()) * word_;
  }
  const int passes = plan_.demand.passes;
  p.registers.extra = passes > 0 ? at(fields_, passes - 1, range.lower) : p.fixed;
  if (plan_.demand.corrections > 0) p.flags = at(fields_, passes, range.lower);
  p.first[static_cast<std::size_t>(axis_)] = wrapped(range.lower);
  p.queue = queue;
  for (std::size_t side = 0; side < linked_.size(); ++side) {
    const bool here = static_cast<int>(side / 2) != axis_ ||
                      (side % 2 == 0 ? range.lower == 0 : range.upper == planes_);
    p.side[side] = !linked_[side] && here;
  }
  return p;
}

comm::Exchange& Sweep::exchange_of(std::int64_t planes, int field) {
  const std::pair<std::int64_t, int> which{planes, field};
  const auto found = exchanges_.find(which);
  if (found != exchanges_.end()) return found->second;
  const std::size_t axis = static_cast<std::size_t>(axis_);
  std::vector<mesh::Part> parts = domain_.parts;
  Index3 n{1, 1, 1};
  for (mesh::Part& part : parts) {
    part.box.lower[axis] = 0;
    part.box.upper[axis] = planes;
    for (std::size_t a = 0; a < 3; ++a) n[a] = std::max(n[a], part.box.upper[a]);
  }
  std::array<bool, 3> linked = periodic_axes_;
  linked[axis] = false;
  const comm::Domain domain(mesh::make_box(n, {0, 0, 0}, {1, 1, 1}, linked), parts, team_.rank());
  const memory::State& state = field < 0 ? window_ : fields_;
  BlockLayout layout = state.layout(0);
  layout.n[axis_] = planes;
  const std::vector<Index3> widths(parts.size(),
                                   Index3{layout.ghosts[0], layout.ghosts[1], layout.ghosts[2]});
  comm::Exchange& made =
      exchanges_
          .try_emplace(which, domain,
                       mesh::plan_ghosts(domain.mesh, widths,
                                         field < 0 ? ghost_reach_
                                         : field < plan_.demand.passes
                                             ? readers_[static_cast<std::size_t>(field)]
                                             : mesh::GhostReach::faces),
                       std::vector<BlockLayout>{layout}, state.variables(), state.precision(),
                       team_, queue_)
          .first->second;
  if (!copies_ && field < 0) made.leave_copies_to_computation();
  return made;
}

void Sweep::copy_planes(const At& to, const At& from, int variables, std::int64_t count,
                        const Queue& queue) const {
  const auto rows_of = [&](const At& of, int variable) {
    const BlockLayout& l = of.state.layout(0);
    const std::int64_t first =
        l.first + (of.variable + variable) * l.stride_var + of.plane * l.stride[axis_];
    // A plane of a grid of one cell along z is a row.
    const std::int64_t pitch = l.stride[1] > 0 ? l.stride[1] : l.stride[2];
    const std::int64_t of_plane = l.n[2] > 1 ? l.stride[2] / pitch : 1;
    return Rows{
        static_cast<std::byte*>(of.state.start(of.reg)) + static_cast<std::size_t>(first) * word_,
        static_cast<std::size_t>(pitch) * word_, static_cast<std::size_t>(of_plane)};
  };
  const BlockLayout& l = from.state.layout(0);
  const std::size_t bytes = static_cast<std::size_t>(l.n[0]) * word_;
  const auto cells = [&](int axis) {
    return static_cast<std::size_t>(axis == axis_ ? count : l.n[axis]);
  };
  for (int v = 0; v < variables; ++v)
    copy_rows(rows_of(to, v), rows_of(from, v), bytes, cells(1), cells(2), queue);
}

// Planes beyond the ends of a periodic grid are those at its other end.
void Sweep::load(const Range& range, const Queue& queue) {
  for (const Range& r : parts(range)) {
    for (const Carried& c : in_arrays_) {
      copy_planes({window_, c.window, r.lower - base_}, {host_, c.host, wrapped(r.lower)},
                  host_.variables(), r.upper - r.lower, queue);
    }
  }
  load_fixed(range, queue);
}

void Sweep::load_fixed(const Range& range, const Queue& queue) {
  if (!fixed_) return;
  for (const Range& r : parts(range)) {
    const std::int64_t count = r.upper - r.lower, place = r.lower - base_;
    const At came{window_, 0, place, host_.variables()};
    copy_planes(came, {*fixed_, 0, wrapped(r.lower)}, fixed_->variables(), count, queue);
    for (int reg = 1; reg < window_.registers(); ++reg) {
      copy_planes({window_, reg, place, host_.variables()}, came, fixed_->variables(), count,
                  queue);
    }
  }
}

void Sweep::copy_whole_planes(const At& to, const At& from, std::int64_t count) const {
  const BlockLayout& l = from.state.layout(0);
  // Planes across y are apart in memory, level by level.
  const bool apart = axis_ == 1 && l.n[2] > 1;
  const std::int64_t row = l.stride[apart ? 2 : axis_];
  const std::int64_t cells = apart ? count * l.stride[axis_] : row;
  const std::int64_t rows = apart ? l.n[2] + 2 * l.ghosts[2] : count;
  const auto rows_of = [&](const At& of) {
    const BlockLayout& own = of.state.layout(0);
    const std::int64_t first = (own.ghosts[axis_] + of.plane) * own.stride[axis_];
    const std::int64_t pitch = own.stride[apart ? 2 : axis_];
    return Rows{
        static_cast<std::byte*>(of.state.start(of.reg)) + first * static_cast<std::int64_t>(word_),
        static_cast<std::size_t>(pitch) * word_, static_cast<std::size_t>(own.stride_var / pitch)};
  };
  copy_rows(rows_of(to), rows_of(from), static_cast<std::size_t>(cells) * word_,
            static_cast<std::size_t>(rows), static_cast<std::size_t>(from.state.variables()),
            queue_);
}

std::array<Sweep::Kept, 2> Sweep::kept_of(int m) const {
  const Demand& d = plan_.demand;
  const exec::StageRegisters& r = registers_[static_cast<std::size_t>(m)];
  const std::int64_t of_stage = kept_solution(d) + kept_beside(d), place = m * of_stage;
  return {{{r.in, place, kept_solution(d)},
           {form_ == exec::UpdateForm::two ? r.out : r.increment, place + kept_solution(d),
            kept_beside(d)}}};
}

void Sweep::keep(int m, const Range& range) {
  const std::int64_t first = m * reach_of_stage(plan_.demand);
  for (const Kept& k : kept_of(m)) {
    const Range here{std::max(range.lower, first), std::min(range.upper, first + k.count)};
    if (here.empty()) continue;
    copy_whole_planes({kept_, 0, k.place + here.lower - first},
                      {window_, k.reg, here.lower - base_}, here.upper - here.lower);
  }
}

void Sweep::append_kept(int m) {
  const std::int64_t end = planes_ + m * reach_of_stage(plan_.demand);
  for (const Kept& k : kept_of(m))
    copy_whole_planes({window_, k.reg, end - base_}, {kept_, 0, k.place}, k.count);
}

// What is finished goes back to its place, rates to where the host finds them.
void Sweep::save(const Range& range, int j) {
  if (plan_.demand.host_updates) {
    copy_planes({landed_, j % 2, 0}, {window_, registers_.front().increment, range.lower - base_},
                host_.variables(), range.upper - range.lower, out_);
    return;
  }
  for (const Range& r : parts(range)) {
    for (const Carried& c : out_arrays_) {
      copy_planes({host_, c.host, wrapped(r.lower)}, {window_, c.window, r.lower - base_},
                  host_.variables(), r.upper - r.lower, out_);
    }
  }
}

// The planes before `live_end` that later stages read move to the beginning of the window, with
// their ghosts; see plan.cpp for its length.
void Sweep::slide(std::int64_t to_base, std::int64_t live_end) {
  const std::int64_t shift = to_base - base_;
  require(live_end - to_base <= shift, "a window that slides over itself");
  for (const memory::State* const state : {&window_, &fields_}) {
    for (int reg = 0; reg < state->registers(); ++reg)
      copy_whole_planes({*state, reg, 0}, {*state, reg, shift}, live_end - to_base);
  }
}

// Ghosts of new planes of a register, for the stage that reads them next.
void Sweep::fill(int reg, const Range& range, bool arrived, int s, const Step& step,
                 PlaneWork& work) {
  comm::Exchange& exchange = exchange_of(range.upper - range.lower);
  if (s < 0 || (arrived && !copies_)) {
    exchange.fill(at(reg, range.lower), queue_);
  } else {
    exchange.fill_for_computing(at(reg, range.lower), queue_);
  }
  // Sides of the axes before that of the planes (-1), across it (0), behind it (1): ghosts behind edges follow from those of lower axes.
  const auto sides = [&](const Range& r, int order) {
    Planes p = planes(r, reg, reg, reg, queue_);
    p.clock = step.clock;
    bool any = false;
    for (int side = 0; side < 6; ++side) {
      const int axis = side / 2;
      bool& wanted = p.side[static_cast<std::size_t>(side)];
      wanted = wanted && (axis < axis_ ? -1 : axis > axis_ ? 1 : 0) == order;
      any = any || wanted;
    }
    if (any) work.fill_sides(p, s, step.known);
  };
  for (const Range& part : parts(range)) sides(part, -1);
  if (!periodic_ && range.lower == 0) sides({0, reach_}, 0);
  if (!periodic_ && range.upper == planes_) sides({planes_ - reach_, planes_}, 0);
  for (const Range& part : parts(range)) sides(part, 1);
}

void Sweep::add_passes(const std::vector<mesh::GhostReach>& readers, bool between_steps) {
  require(static_cast<int>(readers.size()) == plan_.demand.passes, "passes that are not planned");
  require(std::find(linked_.begin(), linked_.end(), false) == linked_.end(),
          "passes beside sides with conditions");
  readers_ = readers;
  passes_between_steps_ = between_steps;
}

void Sweep::compute_pass(int p, int reg, const Range& range, exec::Clock* clock, int step,
                         PlaneWork& work) {
  if (range.empty()) return;
  for (const Range& part : parts(range)) {
    Planes planes = this->planes(part, reg, reg, reg, queue_);
    if (p > 0) planes.registers.in = at(fields_, p - 1, part.lower);
    planes.registers.out = at(fields_, p, part.lower);
    planes.registers.extra = nullptr;
    planes.clock = clock;
    planes.step = step;
    work.pass(planes, p);
  }
  exchange_of(range.upper - range.lower, p).fill(at(fields_, p, range.lower), queue_);
}

// Each correction ends a plane before the one before it, so that the flags around its planes are there.
void Sweep::correct_stage(int j, int m, const Step& step, exec::Clock* spare, PlaneWork& work) {
  const stream::Demand& d = plan_.demand;
  const int s = (first_stage_ + m) % stages_;
  const std::int64_t stage = reach_ * (d.passes + 1);
  for (int n = 1; n <= d.corrections + 1; ++n) {
    const Range flagged = ended_before(j, m, stage + n - 1);
    if (flagged.empty()) continue;
    each_part(flagged, m, step, spare, [&](const Planes& p) { work.flag(p, s, n); });
    if (n > d.corrections) continue;
    void* const flags = at(fields_, d.passes, flagged.lower);
    exchange_of(flagged.upper - flagged.lower, d.passes).fill(flags, queue_);
    if (!periodic_ && flagged.lower == 0) clear_flags(-1);
    if (!periodic_ && flagged.upper == planes_) clear_flags(planes_);
    each_part(ended_before(j, m, stage + n), m, step, spare,
              [&](const Planes& p) { work.correct(p, s, n); });
  }
}

// Clears the flags of a plane behind an end of the grid.
void Sweep::clear_flags(std::int64_t plane) {
  const BlockLayout& l = fields_.layout(0);
  const std::int64_t word = static_cast<std::int64_t>(word_);
  // Planes across y are apart in memory, level by level.
  const bool apart = axis_ == 1 && l.n[2] > 1;
  const std::int64_t levels = apart ? l.n[2] + 2 * l.ghosts[2] : 1;
  for (std::int64_t k = 0; k < levels; ++k) {
    fill_bytes(at(fields_, plan_.demand.passes, plane) +
                   (l.ghosts[axis_] * l.stride[axis_] + k * (apart ? l.stride[2] : 0)) * word,
               0, static_cast<std::size_t>(l.stride[axis_]) * word_, queue_);
  }
}

void Sweep::add_extra(Planes& p, std::span<const double> values) {
  require(fixed_ == nullptr, "two extra variables of planes");
  const std::size_t axis = static_cast<std::size_t>(axis_);
  Box box{{0, 0, 0}, {p.layout.n[0], p.layout.n[1], p.layout.n[2]}};
  box.lower[axis] = p.first[axis] - base_;
  box.upper[axis] += box.lower[axis];
  memory::store_rounded(window_, 1, 0, values, queue_, box);
  p.registers.extra = at(1, p.first[axis]);
}

}  // namespace watersmeet::stream

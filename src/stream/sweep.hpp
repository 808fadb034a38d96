#pragma once
// A grid in host memory, computed on the device through a window of planes (stream/plan.hpp). A sweep carries all cells through some
// steps: segments come in, all their stages are computed, and what is finished goes back to where it came from, in three queues, so that
// copies both ways run beside the computation. The values are those of a grid that stays on the device, bit for bit.
//
//        host     ... finished | old ...                 one copy: planes are written back behind those still to be read
//        window       base [ live | segment j | segment j+1 comes in ]
//
// The window slides: where a segment no longer fits behind the one before, the live planes are copied to its beginning.
// The first segment of the next sweep comes in while the last one of this sweep is computed, and what that leaves goes back while the next
// sweep computes. On a periodic axis the planes from `lag` on are finished first, and those before them last, behind the end of the grid. So each
// sweep begins where the one before finished first, `lag` planes further up. Planes are counted from that origin within a sweep.
// Several ranks cut the grid across other axes than that of the planes. They have the same segments, and exchange ghosts of the planes that a
// stage has computed before the next stage reads them; all calls are collective.
// Method: time skewing, after Wolfe (1986) and McCalpin and Wonnacott (1999); the bookkeeping is in plan.hpp.

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "comm/exchange.hpp"
#include "exec/clock.hpp"
#include "exec/loops.hpp"
#include "exec/stage_registers.hpp"
#include "memory/state.hpp"
#include "stream/plan.hpp"

namespace watersmeet::stream {

// Planes as a block of their own, whose plane 0 is the first of them. Planes beyond are there as far as the stencil reaches.
struct Planes {
  BlockLayout layout;
  exec::Registers registers;
  Index3 first{0, 0, 0};       // its first cell, in cells of the part
  std::array<bool, 6> side{};  // which of its sides are sides of the part, 2 axis + (upper)
  exec::Clock* clock = nullptr;
  int step = 0;  // of the sweep, that is computed
  Queue queue;
  bool rates = false;           // stages leave their rates in `increment`, and no new solution
  const void* fixed = nullptr;  // values that no stage changes, in the same layout
  void* flags = nullptr;        // of corrections, in the layout of one variable
  bool counts = true;           // false: planes of a periodic grid that are corrected elsewhere

  // The launch over all its cells; it refers to this object.
  exec::Launch launch() const;
};

// What a sweep asks of a system.
class PlaneWork {
 public:
  virtual ~PlaneWork() = default;
  // The right-hand side and the update of stage s.
  virtual void compute(const Planes& planes, int s) = 0;
  // The update of stage s in host memory, in place: `in` and `out` are the solution, `increment` what the stage reads and keeps beside it, and
  // `extra` the rates of the launch's box alone. The clock is there too; the signal of the last stage goes to it.
  virtual void update(const exec::Launch& launch, int s) { (void)launch, (void)s; }
  // Pass p before a stage: of `registers.in`, the solution or the field of the pass before, into the field `registers.out`, which has the
  // layout of one variable. No `clock` between two steps.
  virtual void pass(const Planes& planes, int p) { (void)planes, (void)p; }
  // Correction n of what the stage wrote to `registers.out`, n from 1: flags of the cells of `planes`, whose ghosts behind sides of the part are
  // 0; then what follows from them in these and the cells beside them. Once more flags with n = corrections + 1, which only look.
  virtual void flag(const Planes& planes, int s, int n) { (void)planes, (void)s, (void)n; }
  virtual void correct(const Planes& planes, int s, int n) { (void)planes, (void)s, (void)n; }
  // What follows the corrections in the cells of a stage.
  virtual void complete(const Planes& planes, int s) { (void)planes, (void)s; }
  // Ghosts of `registers.out` behind sides of the part that have conditions: what stage s will read, in the step of `planes.clock`, which the
  // host knows as `clock`; of the solution between two steps where s < 0.
  virtual void fill_sides(const Planes& planes, int s, const exec::Clock& clock) {
    (void)planes, (void)s, (void)clock;
  }
  // What stage s, which has read `registers.in`, let out through sides of the part.
  virtual void count_sides(const Planes& planes, int s) { (void)planes, (void)s; }
};

// A step: its clock on the device, and its t and dt as the host knows them.
struct Step {
  exec::Clock* clock = nullptr;
  exec::Clock known;
};

class Sweep {
 public:
  // host: the solution, one register without ghosts (two for the scheme "stage") in memory that both sides reach; it outlives the sweep. shape: of the part where it is
  // computed, with ghosts. reach: which of them the stencils read.
  // domain: of one part a rank, none of them cut across the planes. periodic: axes of the whole grid. team: of the ranks.
  // fixed: further values of the cells, which no stage changes, in the same memory; or null. Each register of the window has them behind its
  // variables, with ghosts of their own, because those may follow from the solution in that register.
  Sweep(const Plan& plan, memory::State& host, const memory::BlockShape& shape,
        const comm::Domain& domain, const std::array<bool, 3>& periodic, comm::Team& team,
        mesh::GhostReach reach, exec::UpdateForm form, int stages, int registers,
        const Queue& queue, const memory::State* fixed = nullptr);
  ~Sweep();
  Sweep(const Sweep&) = delete;
  Sweep& operator=(const Sweep&) = delete;

  const Plan& plan() const { return plan_; }
  int axis() const { return axis_; }

  // Carries the solution through the steps, at most plan().fused_steps. Returns when they are computed; the host has them after flush().
  // Reductions over cells that are computed for corrections of others alone go to `spare`.
  void advance(std::span<const Step> steps, exec::Clock* spare, PlaneWork& work);
  // Waits until the host has the solution, and forgets what was read ahead: to be called before anybody else reads or writes it.
  void flush();

  // Before each stage passes over all cells, as many as the plan says, make a field each; `readers` says which ghosts of it are read. The
  // stage reads the last one as its extra variable. between_steps: so does what looks at slabs. All sides of the part are linked.
  void add_passes(const std::vector<mesh::GhostReach>& readers, bool between_steps);

  // From now on no ghosts that are copies of cells of the same planes are filled between the stages of a sweep: what computes joins the ends of
  // these axes, from the copies that it stores beside what it writes and those that the arrival of the planes has left.
  void leave_copies_to_computation() { copies_ = false; }

  // Calls `look` for slabs that together hold each plane once, ghosts filled; `now` is the last step, at whose end the solution is.
  void each_slab(const Step& now, PlaneWork& work, const std::function<void(Planes&)>& look);
  // To planes that each_slab shows, one more value of each of their cells [k][j][i] as their extra variable; it is kept in register 1.
  void add_extra(Planes& planes, std::span<const double> values);

 private:
  struct Range {
    std::int64_t lower = 0, upper = 0;
    bool empty() const { return upper <= lower; }
  };

  int stages_of_sweep() const {
    return static_cast<int>(stream::stages_of_sweep(steps_, plan_.demand));
  }
  std::int64_t lag() const { return stream::lag(steps_, plan_.demand); }
  // Of the planes that are in the window in a sweep.
  std::int64_t end() const { return planes_ + planes_behind(steps_, plan_.demand); }
  // Planes that a segment brings in.
  Range segment(int j) const;
  // Those of launch n of the launches of stage m, from 1 on.
  Range of_launch(int j, int m, int n) const { return ended_before(j, m, reach_ * n); }
  Range of_stage(int j, int m) const { return of_launch(j, m, plan_.demand.launches_of_stage()); }
  // Planes that end so many before those of segment j that the stage before m has left.
  Range ended_before(int j, int m, std::int64_t back) const;
  // All planes of stage m, each once.
  Range whole_of(int m) const;
  std::int64_t live() const { return lag() + reach_; }
  // Cut where the numbers of planes begin again.
  std::vector<Range> parts(const Range& all) const;
  std::int64_t wrapped(std::int64_t plane) const;
  std::byte* at(const memory::State& state, int reg, std::int64_t plane) const;
  std::byte* at(int reg, std::int64_t plane) const { return at(window_, reg, plane); }
  Planes planes(const Range& range, int in, int out, int increment, const Queue& queue) const;
  // The exchange of the linked ghosts of so many planes of a register, or of a field.
  comm::Exchange& exchange_of(std::int64_t planes, int field = -1);
  // Computes pass p of register `reg` in planes, and fills their ghosts.
  void compute_pass(int p, int reg, const Range& range, exec::Clock* clock, int step,
                    PlaneWork& work);
  // Calls `look` for parts of planes of a stage of the sweep, with their clocks.
  void each_part(const Range& range, int m, const Step& step, exec::Clock* spare,
                 const std::function<void(const Planes&)>& look);
  void clear_flags(std::int64_t plane);
  void correct_stage(int j, int m, const Step& step, exec::Clock* spare, PlaneWork& work);
  // Where planes of a register begin, from one of its variables on.
  struct At {
    const memory::State& state;
    int reg = 0;
    std::int64_t plane = 0;
    int variable = 0;
  };
  // Interior cells of so many planes and variables, from one state to another of the same rows.
  void copy_planes(const At& to, const At& from, int variables, std::int64_t count,
                   const Queue& queue) const;
  // Whole planes of a register with their ghosts, from one state to another of the same rows.
  void copy_whole_planes(const At& to, const At& from, std::int64_t count) const;
  void load(const Range& range, const Queue& queue);
  // Of every register.
  void load_fixed(const Range& range, const Queue& queue);
  // Planes of a register from R L m on, which stage m of the last segment reads behind the grid, and where they are kept.
  struct Kept {
    int reg = 0;
    std::int64_t place = 0, count = 0;
  };
  std::array<Kept, 2> kept_of(int m) const;
  // Keeps those of them that lie in `range`, ghosts included; puts all behind the planes of the last segment.
  void keep(int m, const Range& range);
  void append_kept(int m);
  void save(const Range& range, int j);
  void update_on_host(int j, PlaneWork& work);
  void set_stage(int s);
  void sweep(std::span<const Step> steps, exec::Clock* spare, PlaneWork& work);
  void bring(int j);
  void read_ahead();
  std::int64_t read_first() const;
  void slide(std::int64_t to_base, std::int64_t live_end);
  // arrived: the planes have just come from host memory.
  void fill(int reg, const Range& range, bool arrived, int s, const Step& step, PlaneWork& work);
  void compute_segment(int j, std::span<const Step> steps, exec::Clock* spare, PlaneWork& work);

  Plan plan_;
  bool copies_ = true;  // leave_copies_to_computation()
  memory::State& host_;
  const memory::State* fixed_;
  memory::State window_;
  memory::State fields_;  // of the passes, and the flags: a register each, planes of the window
  std::vector<mesh::GhostReach> readers_;  // of them
  bool passes_between_steps_ = false;
  memory::State kept_;  // of a periodic grid: kept_planes()
  // Where the host updates the solution: rates that came back, of every second segment, and its clock.
  memory::State landed_;
  exec::Clock host_clock_;
  int axis_ = 2, stages_ = 3, steps_ = 1;
  std::int64_t planes_ = 0, reach_ = 3;
  bool periodic_ = false;
  const comm::Domain& domain_;
  std::array<bool, 3> periodic_axes_{};
  std::array<bool, 6> linked_{};  // sides of the part, 2 axis + (upper)
  comm::Team& team_;
  mesh::GhostReach ghost_reach_;
  exec::UpdateForm form_;
  std::vector<exec::StageRegisters> registers_;
  int first_stage_ = 0;  // of the step, of a sweep
  // What comes in and what goes back: a register of the window and one of the host.
  struct Carried {
    int window = 0, host = 0;
  };
  std::vector<Carried> in_arrays_{{0, 0}}, out_arrays_{{0, 0}};
  std::size_t word_ = 8;
  Queue queue_, in_, out_;
  std::int64_t origin_ = 0;       // the plane of the part that a sweep counts as its plane 0
  std::int64_t base_ = 0;         // the plane at the beginning of the window
  std::int64_t coming_base_ = 0;  // the same for the segment that came in last
  // Segments that came in since flush(), and how many of them before this sweep; of each (modulo 4) events and the end of the planes that
  // it gave back.
  std::int64_t count_ = 0, count_before_ = 0;
  std::array<Event, 4> came_, computed_, left_;
  std::array<std::int64_t, 4> given_back_{};
  std::int64_t on_host_ =
      0;  // planes before this one are on the host as far as the queue `in_` knows
  Event first_left_, all_left_;  // what the next sweep reads first, and all of this one
  bool read_ahead_ = false;
  int steps_ahead_ = 0;
  std::map<std::pair<std::int64_t, int>, comm::Exchange> exchanges_;  // by planes and field
};

}  // namespace watersmeet::stream

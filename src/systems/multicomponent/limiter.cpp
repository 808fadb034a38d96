#include "systems/multicomponent/limiter.hpp"

#include <cstddef>
#include <span>
#include <vector>

#include "mesh/ghosts.hpp"

namespace watersmeet::multicomponent {

namespace {
// One layer where the state has several.
memory::BlockShape flags_of(memory::BlockShape shape) {
  for (std::int64_t& layers : shape.ghosts) layers = layers > 0 ? 1 : 0;
  return shape;
}
std::size_t bytes_of_marks(const memory::BlockShape& shape) {
  return exec::limit_passes * static_cast<std::size_t>(shape.n[1] * shape.n[2]) *
         sizeof(std::uint32_t);
}
}  // namespace

Limiter::Limiter(comm::Team& team, const Queue& queue)
    : team_(&team), record_(memory::working_space(queue.backend), 2 * sizeof(exec::LimitRecord)) {
  fill_bytes(record_.start(), 0, record_.bytes(), queue);
}

Limiter::Limiter(const memory::BlockShape& shape, Precision precision, const comm::Domain& domain,
                 const BoundaryCall& boundaries, comm::Team& team, const Queue& queue)
    : Limiter(team, queue) {
  marks_ = memory::Buffer(memory::working_space(queue.backend), bytes_of_marks(shape));
  rows_.marks = marks_.as<std::uint32_t>();
  for (std::size_t axis : {1, 2}) {
    rows_.n[axis - 1] = static_cast<int>(shape.n[axis]);
    for (std::size_t upper : {0, 1})
      rows_.open[axis - 1][upper] =
          shape.ghosts[axis] > 0 && boundaries.side[2 * axis + upper].kind == nullptr;
  }
  flags_ = memory::State({flags_of(shape)}, 1, 1, precision, queue);
  std::vector<Index3> widths;
  for (const mesh::Block& part : domain.mesh.blocks()) widths.push_back(part.ghosts(1));
  exchange_ = comm::Exchange(
      domain, mesh::plan_ghosts(domain.mesh, widths, mesh::GhostReach::faces), flags_, team, queue);
}

// Each pass of a streamed solution has planes of its own, so that each has to look.
LimitPassCall Limiter::on_planes(const stream::Planes& planes, int n) const {
  LimitPassCall limit;
  limit.layout = &planes.layout;
  limit.flags = planes.flags;
  limit.record = record_.as<exec::LimitRecord>() + (planes.counts ? 0 : 1);
  limit.pass = n;
  limit.alone = false;
  return limit;
}

void Limiter::run(TwoFluidLoops& loops, const exec::Launch& launch) {
  LimitPassCall limit;
  limit.layout = &flags_.layout(0);
  limit.flags = flags_.start(0);
  limit.rows = rows_;
  limit.record = record_.as<exec::LimitRecord>();
  limit.alone = team_->size() == 1;
  fill_bytes(marks_.start(), 0, marks_.bytes(), launch.queue);
  fill_bytes(static_cast<std::byte*>(record_.start()) + offsetof(exec::LimitRecord, found), 0,
             sizeof(exec::LimitRecord::found), launch.queue);
  for (limit.pass = 1; limit.pass <= exec::limit_passes; ++limit.pass) {
    loops.find_inadmissible(launch, limit);
    flags_.set_valid_ghosts(0, 0);
    exchange_.fill(flags_, 0, launch.queue);
    loops.limit_faces(launch, limit);
  }
  loops.find_inadmissible(launch, limit);
}

void Limiter::flag(LedgerCall& ledger) const {
  if (!on()) return;
  ledger.flags = flags_.start(0);
  ledger.flags_layout = &flags_.layout(0);
}

std::int64_t Limiter::limited(const Queue& queue) const {
  exec::LimitRecord record;
  copy_bytes(&record, record_.start(), sizeof(record), queue);
  synchronize(queue);
  team_->communicator().all_reduce_sum(std::span<std::int64_t>(&record.limited, 1));
  return record.limited;
}

std::size_t Limiter::bytes_needed(const memory::BlockShape& shape, Precision precision) {
  return memory::State::bytes_needed({flags_of(shape)}, 1, 1, precision) + bytes_of_marks(shape);
}

}  // namespace watersmeet::multicomponent

#include "comm/exchange.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace watersmeet::comm {

Exchange::Exchange(const mesh::GhostPlan& plan, const memory::State& state, const Queue& queue) {
  if (!plan.absent.empty() || !plan.open.empty()) {
    throw Error(ErrorKind::unsupported,
                "some ghost cells of block " +
                    std::to_string((plan.open.empty() ? plan.absent : plan.open)[0].block) +
                    " belong to no link and no boundary condition");
  }
  for (const mesh::GhostCopy& copy : plan.copies) {
    const BlockLayout& to = state.layout(copy.dst_block);
    const BlockLayout& from = state.layout(copy.src_block);
    const auto element = [](const BlockLayout& l, const Index3& c) {
      return l.first + l.at(c[0], c[1], c[2]);
    };
    const Index3 corner = copy.dst.lower;
    exec::GhostTransfer transfer;
    transfer.to_first = element(to, corner);
    transfer.from_first = element(from, copy.map(corner).index);
    for (std::size_t a = 0; a < 3; ++a) {
      Index3 next = corner;
      next[a] += 1;
      transfer.n[a] = copy.dst.size(static_cast<int>(a));
      transfer.to_stride[a] = element(to, next) - transfer.to_first;
      transfer.from_stride[a] = element(from, copy.map(next).index) - transfer.from_first;
      layers_ = std::max(layers_, static_cast<int>(to.ghosts[a]));
    }
    transfer.to_stride_var = to.stride_var;
    transfer.from_stride_var = from.stride_var;
    transfer.begin = cells_;
    cells_ += copy.dst.count();
    transfers_.push_back(transfer);
  }
  if (queue.backend == Backend::cuda && !transfers_.empty()) {
    device_transfers_ =
        memory::Buffer(MemorySpace::device, transfers_.size() * sizeof(exec::GhostTransfer));
    copy_bytes(device_transfers_.start(), transfers_.data(), device_transfers_.bytes(), queue);
    synchronize(queue);
  }
}

void Exchange::run(memory::State& state, int reg, exec::GhostAction action,
                   const Queue& queue) const {
  const exec::GhostTransfer* const transfers = queue.backend == Backend::cuda
                                                   ? device_transfers_.as<exec::GhostTransfer>()
                                                   : transfers_.data();
  exec::fill_ghosts(state.start(reg), nullptr, state.precision(), transfers,
                    static_cast<int>(transfers_.size()), cells_, state.variables(), action, queue);
}

void Exchange::fill(memory::State& state, int reg, const Queue& queue) const {
  run(state, reg, exec::GhostAction::copy, queue);
  state.set_valid_ghosts(reg, layers_);
}

void Exchange::poison(memory::State& state, int reg, const Queue& queue) const {
  run(state, reg, exec::GhostAction::poison, queue);
  state.set_valid_ghosts(reg, 0);
}

}  // namespace watersmeet::comm

// Turns a ghost plan into copies and messages, and carries them out beside the computation.
#include "comm/exchange.hpp"

#include <algorithm>
#include <map>

#include "core/error.hpp"
#include "mesh/box_algebra.hpp"

namespace watersmeet::comm {

namespace {

constexpr std::size_t message_alignment = 256;  // bytes

// The cells of a copy in the order of the destination, without offsets.
exec::GhostTransfer shape_of(const mesh::GhostCopy& copy) {
  exec::GhostTransfer t;
  for (std::size_t a = 0; a < 3; ++a) t.n[a] = copy.dst.size(static_cast<int>(a));
  return t;
}

std::int64_t element(const BlockLayout& l, const Index3& c) {
  return l.first + l.at(c[0], c[1], c[2]);
}

void set_destination(exec::GhostTransfer& t, const mesh::GhostCopy& copy, const BlockLayout& to) {
  const Index3 corner = copy.dst.lower;
  t.to_first = element(to, corner);
  for (std::size_t a = 0; a < 3; ++a) {
    Index3 next = corner;
    next[a] += 1;
    t.to_stride[a] = element(to, next) - t.to_first;
  }
  t.to_stride_var = to.stride_var;
}

void set_source(exec::GhostTransfer& t, const mesh::GhostCopy& copy, const BlockLayout& from) {
  const Index3 corner = copy.dst.lower;
  t.from_first = element(from, copy.map(corner).index);
  for (std::size_t a = 0; a < 3; ++a) {
    Index3 next = corner;
    next[a] += 1;
    t.from_stride[a] = element(from, copy.map(next).index) - t.from_first;
  }
  t.from_stride_var = from.stride_var;
}

// Elements of the messages, by peer; turned into offsets of one buffer.
class Mailbox {
 public:
  explicit Mailbox(std::size_t element) : element_(element) {}
  std::int64_t reserve(int peer, std::int64_t elements) {
    std::int64_t& size = elements_[peer];
    const std::int64_t first = size;
    size += elements;
    return first;
  }
  // Lays the messages one after the other; afterwards first() is known.
  std::vector<Message> lay() {
    std::vector<Message> messages;
    for (const auto& [peer, elements] : elements_) {
      bytes_ = (bytes_ + message_alignment - 1) / message_alignment * message_alignment;
      const std::size_t size = static_cast<std::size_t>(elements) * element_;
      first_[peer] = static_cast<std::int64_t>(bytes_ / element_);
      messages.push_back({peer, bytes_, size});
      bytes_ += size;
    }
    return messages;
  }
  std::int64_t first(int peer) const { return first_.at(peer); }
  std::size_t bytes() const { return bytes_; }

 private:
  std::size_t element_, bytes_ = 0;
  std::map<int, std::int64_t> elements_, first_;
};

}  // namespace

void Exchange::Regions::add(exec::GhostTransfer transfer, std::int64_t count) {
  transfer.begin = cells;
  cells += count;
  transfers.push_back(transfer);
}

void Exchange::Regions::finish(const Queue& queue) {
  if (queue.backend != Backend::cuda || transfers.empty()) return;
  device = memory::Buffer(MemorySpace::device, transfers.size() * sizeof(exec::GhostTransfer));
  copy_bytes(device.start(), transfers.data(), device.bytes(), queue);
  synchronize(queue);
}

Exchange::Exchange(const Domain& domain, const mesh::GhostPlan& plan, const memory::State& state,
                   Team& team, const Queue& queue)
    : team_(&team) {
  if (!plan.absent.empty() || !plan.open.empty()) {
    throw Error(ErrorKind::unsupported,
                "some ghost cells of block " +
                    std::to_string((plan.open.empty() ? plan.absent : plan.open)[0].block) +
                    " belong to no link and no boundary condition");
  }
  const auto local_of = [&](int block) { return domain.local[static_cast<std::size_t>(block)]; };
  const auto rank_of = [&](int block) {
    return domain.parts[static_cast<std::size_t>(block)].rank;
  };
  const std::size_t word = size_of(state.precision());
  const std::int64_t variables = state.variables();

  // First the sizes of the messages, then the regions with their places in them.
  Mailbox out(word), in(word);
  std::vector<std::int64_t> places;
  for (const mesh::GhostCopy& copy : plan.copies) {
    const bool from_here = local_of(copy.src_block) >= 0, to_here = local_of(copy.dst_block) >= 0;
    const std::int64_t elements = copy.dst.count() * variables;
    if (from_here && !to_here) places.push_back(out.reserve(rank_of(copy.dst_block), elements));
    if (to_here && !from_here) places.push_back(in.reserve(rank_of(copy.src_block), elements));
  }
  sends_ = out.lay();
  receives_ = in.lay();
  out_bytes_ = 0;
  for (const Message& m : sends_) out_bytes_ += m.size;

  std::vector<std::array<Index3, 2>> margins(static_cast<std::size_t>(domain.blocks()));
  auto place = places.begin();
  for (const mesh::GhostCopy& copy : plan.copies) {
    const int src = local_of(copy.src_block), dst = local_of(copy.dst_block);
    if (src < 0 && dst < 0) continue;
    exec::GhostTransfer t = shape_of(copy);
    if (dst >= 0) {
      set_destination(t, copy, state.layout(dst));
      for (std::size_t a = 0; a < 3; ++a) {
        layers_ = std::max(layers_, static_cast<int>(state.layout(dst).ghosts[a]));
      }
    }
    if (src >= 0) set_source(t, copy, state.layout(src));
    if (src >= 0 && dst >= 0) {
      local_.add(t, copy.dst.count());
    } else if (src >= 0) {
      const std::int64_t message = out.first(rank_of(copy.dst_block)) + *place++;
      pack_.add(exec::pack_half(t, message), copy.dst.count());
    } else {
      const std::int64_t message = in.first(rank_of(copy.src_block)) + *place++;
      unpack_.add(exec::unpack_half(t, message), copy.dst.count());
      const Index3& n = domain.block(dst).n;
      auto& margin = margins[static_cast<std::size_t>(dst)];
      for (std::size_t a = 0; a < 3; ++a) {
        if (copy.dst.lower[a] < 0) margin[0][a] = state.layout(dst).ghosts[a];
        if (copy.dst.upper[a] > n[a]) margin[1][a] = state.layout(dst).ghosts[a];
      }
    }
  }
  require(!remote() || team.transport() != nullptr, "several ranks need a transport");
  if (remote()) {
    const MemorySpace space = team.transport()->buffer_space();
    out_ = memory::Buffer(space, std::max<std::size_t>(out.bytes(), 1));
    in_ = memory::Buffer(space, std::max<std::size_t>(in.bytes(), 1));
  }
  for (Regions* regions : {&local_, &pack_, &unpack_}) regions->finish(queue);
  plan_core(domain, margins);
}

// Cuts the blocks into a core that needs nothing from other ranks and the skin around it. Where
// nothing is left for a core, the block is all skin.
void Exchange::plan_core(const Domain& domain, const std::vector<std::array<Index3, 2>>& margins) {
  for (int b = 0; b < domain.blocks(); ++b) {
    const Box whole = domain.block(b).interior();
    whole_.push_back({b, whole});
    const auto& margin = margins[static_cast<std::size_t>(b)];
    Box core = whole;
    for (std::size_t a = 0; a < 3; ++a) {
      core.lower[a] += margin[0][a];
      core.upper[a] -= margin[1][a];
    }
    core.lower[0] = (core.lower[0] + 3) / 4 * 4;
    if (core.upper[0] < whole.upper[0]) core.upper[0] = core.upper[0] / 4 * 4;
    if (core.empty()) {
      skin_.push_back({b, whole});
      continue;
    }
    core_.push_back({b, core});
    for (const Box& box : mesh::difference(whole, core)) skin_.push_back({b, box});
  }
}

void Exchange::run(const Regions& regions, memory::State& state, int reg, void* buffer,
                   exec::GhostAction action, const Queue& queue) const {
  const exec::GhostTransfer* const transfers = queue.backend == Backend::cuda
                                                   ? regions.device.as<exec::GhostTransfer>()
                                                   : regions.transfers.data();
  exec::fill_ghosts(state.start(reg), buffer, state.precision(), transfers,
                    static_cast<int>(regions.transfers.size()), regions.cells, state.variables(),
                    action, queue);
}

// Sends what others need, and copies what this rank has itself.
void Exchange::start(memory::State& state, int reg, const Queue& queue) {
  if (remote()) {
    const Queue& messages = team_->exchange_queue();
    team_->order(queue, messages);
    run(pack_, state, reg, out_.start(), exec::GhostAction::copy, messages);
    team_->transport()->start(sends_, out_.start(), receives_, in_.start(), messages);
  }
  run(local_, state, reg, nullptr, exec::GhostAction::copy, queue);
}

void Exchange::receive(memory::State& state, int reg) {
  if (!remote()) return;
  const Queue& messages = team_->exchange_queue();
  team_->transport()->finish(messages);
  run(unpack_, state, reg, in_.start(), exec::GhostAction::copy, messages);
}

void Exchange::fill(memory::State& state, int reg, const Queue& queue) {
  start(state, reg, queue);
  receive(state, reg);
  if (remote()) team_->order(team_->exchange_queue(), queue);
  state.set_valid_ghosts(reg, layers_);
}

void Exchange::around(memory::State& state, int reg, const Queue& queue, const Compute& compute) {
  const bool valid = state.valid_ghosts(reg) >= layers_;
  if (valid || !remote() || !team_->overlap()) {
    if (!valid) fill(state, reg, queue);
    for (const Work& w : whole_) compute(w.block, w.box, queue);
    return;
  }
  start(state, reg, queue);
  const Queue& messages = team_->exchange_queue();
  // The skin reads local copies too. Waiting for them costs nothing: the messages take longer.
  team_->order(queue, messages);
  for (const Work& w : core_) compute(w.block, w.box, queue);
  receive(state, reg);
  state.set_valid_ghosts(reg, layers_);
  for (const Work& w : skin_) compute(w.block, w.box, messages);
  team_->order(messages, queue);
}

void Exchange::poison(memory::State& state, int reg, const Queue& queue) const {
  run(local_, state, reg, nullptr, exec::GhostAction::poison, queue);
  run(unpack_, state, reg, in_.start(), exec::GhostAction::poison, queue);
  state.set_valid_ghosts(reg, 0);
}

}  // namespace watersmeet::comm

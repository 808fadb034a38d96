// Plans an exchange: which regions are copied, which travel in which message, and whether parts are computed in halves.
#include <algorithm>
#include <map>
#include <set>

#include "comm/exchange.hpp"
#include "comm/traffic.hpp"
#include "core/error.hpp"

namespace watersmeet::comm {

namespace {

constexpr std::size_t message_alignment = 256;  // bytes

// The cells of a destination, without offsets.
exec::GhostTransfer shape_of(const Box& destination) {
  exec::GhostTransfer t;
  for (std::size_t a = 0; a < 3; ++a) t.n[a] = destination.size(static_cast<int>(a));
  return t;
}

std::int64_t element(const BlockLayout& l, const Index3& c) {
  return l.first + l.at(c[0], c[1], c[2]);
}

void set_destination(exec::GhostTransfer& t, const Box& destination, const BlockLayout& to) {
  const Index3 corner = destination.lower;
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

bool between_ranks(const Domain& domain, const mesh::GhostCopy& copy) {
  const auto rank_of = [&](int block) {
    return domain.parts[static_cast<std::size_t>(block)].rank;
  };
  return rank_of(copy.src_block) != rank_of(copy.dst_block);
}

// The axis along which every copy between ranks leaves its block, or -1: then halves can be
// computed while the messages of the others travel.
int common_axis(const Domain& domain, const mesh::GhostPlan& plan) {
  std::array<bool, 3> common{true, true, true};
  bool any = false;
  for (const mesh::GhostCopy& copy : plan.copies) {
    if (!between_ranks(domain, copy)) continue;
    any = true;
    const Index3& n = domain.mesh.block(copy.dst_block).n;
    for (std::size_t a = 0; a < 3; ++a) {
      common[a] = common[a] && (copy.dst.lower[a] < 0 || copy.dst.upper[a] > n[a]);
    }
  }
  for (int a = 2; a >= 0; --a) {
    if (any && common[static_cast<std::size_t>(a)]) return a;
  }
  return -1;
}

// Thinner halves than this are not worth their launches; the same limit for all ranks.
constexpr std::int64_t thinnest_half = 6;

// Bytes that a rank sends in one exchange above which halves pay where they are chosen
// automatically. Per stage on H200s with NCCL, messages in turn took 32 us + 4.7 us a MB, halves 69
// us + 2.4 us a MB (docs/scaling.md); 12.6 MB went either way.
constexpr double halves_pay_from = 20e6;

double bytes_a_rank(const Domain& domain, const mesh::GhostPlan& plan, std::size_t value_bytes) {
  double cells = 0;
  std::set<int> ranks;
  for (const mesh::Part& part : domain.parts) ranks.insert(part.rank);
  for (const mesh::GhostCopy& copy : plan.copies) {
    if (between_ranks(domain, copy)) cells += static_cast<double>(copy.dst.count());
  }
  return cells * static_cast<double>(value_bytes) / static_cast<double>(ranks.size());
}

bool halves_possible(const Domain& domain, int axis) {
  if (axis < 0) return false;
  std::set<int> seen;
  for (const mesh::Part& part : domain.parts) {
    if (!seen.insert(part.rank).second || part.box.size(axis) < 2 * thinnest_half) return false;
  }
  return true;
}

bool goes_in_halves(const Domain& domain, const mesh::GhostPlan& plan, std::size_t value_bytes,
                    Overlap overlap) {
  const bool wanted =
      overlap == Overlap::on ||
      (overlap == Overlap::automatic && bytes_a_rank(domain, plan, value_bytes) >= halves_pay_from);
  return wanted && halves_possible(domain, common_axis(domain, plan));
}

std::vector<BlockLayout> layouts_of(const memory::State& state) {
  std::vector<BlockLayout> layouts;
  for (int b = 0; b < state.blocks(); ++b) layouts.push_back(state.layout(b));
  return layouts;
}

}  // namespace

ExchangeSize size_of_exchange(const Domain& domain, const mesh::GhostPlan& plan,
                              std::size_t value_bytes, Overlap overlap) {
  struct Sent {
    double cells = 0;
    std::set<int> peers;
  };
  std::map<int, Sent> sent;
  for (const mesh::GhostCopy& copy : plan.copies) {
    if (!between_ranks(domain, copy)) continue;
    Sent& by = sent[domain.parts[static_cast<std::size_t>(copy.src_block)].rank];
    by.cells += static_cast<double>(copy.dst.count());
    by.peers.insert(domain.parts[static_cast<std::size_t>(copy.dst_block)].rank);
  }
  ExchangeSize most;
  for (const auto& [rank, by] : sent) {
    most.bytes = std::max(most.bytes, by.cells * static_cast<double>(value_bytes));
    most.messages = std::max(most.messages, static_cast<double>(by.peers.size()));
  }
  most.halves = goes_in_halves(domain, plan, value_bytes, overlap);
  most.axis = common_axis(domain, plan);
  return most;
}

void Exchange::Regions::finish(const Queue& queue) {
  cells = exec::number_cells(transfers);
  if (queue.backend != Backend::cuda || transfers.empty()) return;
  device = memory::Buffer(MemorySpace::device, transfers.size() * sizeof(exec::GhostTransfer));
  copy_bytes(device.start(), transfers.data(), device.bytes(), queue);
  synchronize(queue);
}

Exchange::Exchange(const Domain& domain, const mesh::GhostPlan& plan, const memory::State& state,
                   Team& team, const Queue& queue)
    : Exchange(domain, plan, layouts_of(state), state.variables(), state.precision(), team, queue,
               team.overlap()) {}

Exchange::Exchange(const Domain& domain, const mesh::GhostPlan& plan,
                   const std::vector<BlockLayout>& layouts, int variables, Precision precision,
                   Team& team, const Queue& queue)
    : Exchange(domain, plan, layouts, variables, precision, team, queue, Overlap::off) {}

Exchange::Exchange(const Domain& domain, const mesh::GhostPlan& plan,
                   const std::vector<BlockLayout>& layouts, int variables, Precision precision,
                   Team& team, const Queue& queue, Overlap overlap)
    : team_(&team), variables_(variables), precision_(precision) {
  if (!plan.absent.empty()) {
    throw Error(ErrorKind::unsupported, "some ghost cells of block " +
                                            std::to_string(plan.absent[0].block) +
                                            " have no value: blocks meet there in no regular way");
  }
  for (const mesh::GhostRegion& region : plan.open) {
    const int block = domain.local[static_cast<std::size_t>(region.block)];
    if (block < 0) continue;
    exec::GhostTransfer t = shape_of(region.box);
    set_destination(t, region.box, layouts[static_cast<std::size_t>(block)]);
    open_.transfers.push_back(t);
  }
  cut_axis_ = common_axis(domain, plan);
  const std::size_t value_bytes = static_cast<std::size_t>(variables) * size_of(precision);
  if (goes_in_halves(domain, plan, value_bytes, overlap)) way_ = Way::halves;
  for (int b = 0; b < domain.blocks(); ++b) {
    whole_.push_back({b, domain.block(b).interior()});
    for (std::size_t a = 0; a < 3; ++a) {
      layers_ = std::max(layers_, static_cast<int>(layouts[static_cast<std::size_t>(b)].ghosts[a]));
    }
  }
  if (cut_axis_ > 0 && domain.blocks() == 1) find_neighbours(domain, plan, layouts[0]);
  batches_.resize(way_ == Way::halves ? 2 : 1);
  plan_messages(domain, plan, layouts);
  if (way_ == Way::halves) plan_halves(domain);
  if (direct_ != nullptr) {
    const Batch& batch = batches_[0];
    for (const bool copies : {false, true}) {
      std::vector<exec::GhostTransfer>& joined = joined_[copies ? 1 : 0].transfers;
      joined = batch.pack.transfers;
      if (copies) joined.insert(joined.end(), local_.transfers.begin(), local_.transfers.end());
      joined.insert(joined.end(), batch.unpack.transfers.begin(), batch.unpack.transfers.end());
    }
  }
  for (Regions& regions : joined_) regions.finish(queue);
  local_.finish(queue);
  open_.finish(queue);
  for (Batch& batch : batches_) {
    batch.pack.finish(queue);
    batch.unpack.finish(queue);
  }
}

void Exchange::plan_messages(const Domain& domain, const mesh::GhostPlan& plan,
                             const std::vector<BlockLayout>& layouts) {
  const auto layout = [&](int block) -> const BlockLayout& {
    return layouts[static_cast<std::size_t>(block)];
  };
  const auto local_of = [&](int block) { return domain.local[static_cast<std::size_t>(block)]; };
  const auto rank_of = [&](int block) {
    return domain.parts[static_cast<std::size_t>(block)].rank;
  };
  const auto batch_of = [&](const mesh::GhostCopy& copy) -> std::size_t {
    return way_ == Way::halves && copy.dst.lower[cut_axis_] >= 0 ? 1 : 0;
  };
  // First the sizes of the messages, then the regions with their places in them.
  const std::size_t word = size_of(precision_);
  std::vector<Mailbox> out(batches_.size(), Mailbox(word)), in(batches_.size(), Mailbox(word));
  std::vector<std::int64_t> places;
  for (const mesh::GhostCopy& copy : plan.copies) {
    const bool from_here = local_of(copy.src_block) >= 0, to_here = local_of(copy.dst_block) >= 0;
    if (from_here == to_here) continue;
    const std::int64_t elements = copy.dst.count() * variables_;
    places.push_back(from_here ? out[batch_of(copy)].reserve(rank_of(copy.dst_block), elements)
                               : in[batch_of(copy)].reserve(rank_of(copy.src_block), elements));
  }
  for (std::size_t b = 0; b < batches_.size(); ++b) {
    Batch& batch = batches_[b];
    batch.sends = out[b].lay();
    batch.receives = in[b].lay();
    Transport* const transport = team_->transport();
    if (transport != nullptr && transport->direct() && way_ == Way::in_turn) {
      direct_ = transport->place(batch.sends, batch.receives);
      continue;
    }
    if (batch.sends.empty() && batch.receives.empty()) continue;
    require(transport != nullptr, "several ranks need a transport");
    const MemorySpace space = transport->buffer_space();
    batch.out = memory::Buffer(space, std::max<std::size_t>(out[b].bytes(), 1));
    batch.in = memory::Buffer(space, std::max<std::size_t>(in[b].bytes(), 1));
  }

  // Where a message to a rank begins, in elements: of `out`, or in the memory of that rank, as seen from what arrives here.
  const auto first_sent = [&](std::size_t b, int peer) -> std::int64_t {
    if (direct_ == nullptr) return out[b].first(peer);
    std::size_t m = 0;
    while (batches_[b].sends[m].peer != peer) ++m;
    return direct_->far[m] / static_cast<std::int64_t>(word);
  };
  auto place = places.begin();
  for (const mesh::GhostCopy& copy : plan.copies) {
    const int src = local_of(copy.src_block), dst = local_of(copy.dst_block);
    if (src < 0 && dst < 0) continue;
    exec::GhostTransfer t = shape_of(copy.dst);
    if (dst >= 0) set_destination(t, copy.dst, layout(dst));
    if (src >= 0) set_source(t, copy, layout(src));
    if (src >= 0 && dst >= 0) {
      local_.transfers.push_back(t);
      continue;
    }
    const std::size_t b = batch_of(copy);
    if (src >= 0) {
      const std::int64_t message = first_sent(b, rank_of(copy.dst_block)) + *place++;
      batches_[b].pack.transfers.push_back(exec::pack_half(t, message));
    } else {
      const std::int64_t message = in[b].first(rank_of(copy.src_block)) + *place++;
      batches_[b].unpack.transfers.push_back(exec::unpack_half(t, message));
    }
  }
}

void Exchange::plan_halves(const Domain& domain) {
  const Box whole = domain.block(0).interior();
  std::int64_t middle = whole.upper[cut_axis_] / 2;
  if (cut_axis_ == 0) middle = middle / 4 * 4;
  for (const int half : {0, 1}) {
    Box box = whole;
    (half == 0 ? box.upper : box.lower)[cut_axis_] = middle;
    half_[half].push_back({0, box});
  }
}

// None where planes would go both ways, or lie otherwise in another block.
void Exchange::find_neighbours(const Domain& domain, const mesh::GhostPlan& plan,
                               const BlockLayout& layout) {
  const std::size_t axis = static_cast<std::size_t>(cut_axis_);
  const std::int64_t planes = domain.block(0).n[axis], layers = layout.ghosts[axis];
  if (planes < 2 * layers) return;
  neighbours_.resize(2);
  for (const mesh::GhostCopy& copy : plan.copies) {
    if (domain.local[static_cast<std::size_t>(copy.src_block)] < 0 || !between_ranks(domain, copy))
      continue;
    const Index3 there = domain.mesh.block(copy.dst_block).n;
    const BlockLayout to = memory::make_layout(
        {there, {layout.ghosts[0], layout.ghosts[1], layout.ghosts[2]}}, variables_, precision_);
    if (!std::equal(std::begin(to.stride), std::end(to.stride), std::begin(layout.stride))) {
      neighbours_.clear();
      return;
    }
    const bool above = copy.dst.lower[axis] < 0;  // the ghosts below that block
    Neighbour& neighbour = neighbours_[above ? 1 : 0];
    neighbour.rank = domain.parts[static_cast<std::size_t>(copy.dst_block)].rank;
    neighbour.first = to.first + (above ? -planes : there[axis]) * to.stride[axis];
    neighbour.stride_var = to.stride_var;
    neighbour.begin = static_cast<int>(above ? planes - layers : 0);
    neighbour.end = static_cast<int>(above ? planes : layers);
  }
}

void Exchange::leave_ghosts_to_computation(const memory::State& state, bool willing) {
  if (direct_ == nullptr) return;
  for (int reg = 0; reg < state.registers(); ++reg) registers_.push_back(state.start(reg));
  const bool possible = memory::is_shareable(state.register_bytes()) && !neighbours_.empty();
  far_ = team_->transport()->reach(registers_, willing && possible);
}

exec::FarRegisters Exchange::far_registers(const void* start) const {
  exec::FarRegisters far;
  if (far_ == nullptr) return far;
  far.axis = cut_axis_;
  std::size_t reg = 0;
  while (registers_[reg] != start) ++reg;
  for (std::size_t side = 0; side < 2; ++side) {
    const Neighbour& n = neighbours_[side];
    far.side[side] = {(*far_)[reg][static_cast<std::size_t>(n.rank)], n.first, n.stride_var,
                      n.begin, n.end};
  }
  return far;
}

}  // namespace watersmeet::comm

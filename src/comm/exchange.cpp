// Carries out the copies and messages of an exchange, beside the computation. They are planned in exchange_plan.cpp.
#include "comm/exchange.hpp"

namespace watersmeet::comm {

std::int64_t Exchange::cells_filled() const {
  std::int64_t cells = local_.cells;
  for (const Batch& batch : batches_) cells += batch.unpack.cells;
  return cells;
}

void Exchange::run(const Regions& regions, void* start, void* buffer, exec::GhostAction action,
                   const Queue& queue, exec::Gate* gate) const {
  const exec::GhostTransfer* const transfers = queue.backend == Backend::cuda
                                                   ? regions.device.as<exec::GhostTransfer>()
                                                   : regions.transfers.data();
  exec::fill_ghosts(start, buffer, precision_, transfers,
                    static_cast<int>(regions.transfers.size()), regions.cells, variables_, action,
                    queue, gate);
}

void Exchange::copy_local(void* start, const Queue& queue) {
  run(local_, start, nullptr, exec::GhostAction::copy, queue);
}

const Queue& Exchange::message_queue(const Queue& computing) const {
  return way_ == Way::in_turn ? team_->queue_in_turn(computing) : team_->exchange_queue();
}

// After the earlier work of `queue`. Its later work follows the packing, so that a transport that
// needs processors of the device finds them before a long kernel has taken all.
void Exchange::send(int batch, void* start, const Queue& queue) {
  Batch& b = batches_[static_cast<std::size_t>(batch)];
  if (b.sends.empty() && b.receives.empty()) return;
  const Queue& messages = message_queue(queue);
  team_->order(queue, messages);
  run(b.pack, start, b.out.start(), exec::GhostAction::copy, messages);
  team_->order(messages, queue);
  team_->transport()->start(b.sends, b.out.start(), b.receives, b.in.start(), messages);
}

void Exchange::receive(int batch, void* start, const Queue& queue) {
  Batch& b = batches_[static_cast<std::size_t>(batch)];
  if (b.sends.empty() && b.receives.empty()) return;
  const Queue& messages = message_queue(queue);
  team_->transport()->finish(messages);
  team_->order(messages, queue);
  run(b.unpack, start, b.in.start(), exec::GhostAction::copy, queue);
}

void Exchange::fill(void* start, const Queue& queue) { fill(start, true, queue); }

void Exchange::fill_for_computing(void* start, const Queue& queue) {
  if (far_ == nullptr) return fill(start, copies_, queue);
  if (copies_) copy_local(start, queue);
  meet(queue);
}

void Exchange::meet(const Queue& queue) const {
  team_->transport()->start({}, nullptr, {}, nullptr, queue);
  exec::meet(direct_->gate, queue);
  team_->transport()->finish(queue);
}

void Exchange::fill(void* start, bool copies, const Queue& queue) {
  if (direct_ == nullptr) {
    if (copies) copy_local(start, queue);
    fill_from_ranks(start, queue);
    return;
  }
  team_->transport()->start({}, nullptr, {}, nullptr, queue);
  run(joined_[copies ? 1 : 0], start, direct_->in, exec::GhostAction::copy, queue, direct_->gate);
  team_->transport()->finish(queue);
}

void Exchange::fill_from_ranks(void* start, const Queue& queue) {
  const bool early = early_.start == start;
  for (int b = 0; b < static_cast<int>(batches_.size()); ++b) {
    if (early && b != early_.missing) continue;
    send(b, start, queue);
    receive(b, start, queue);
  }
  forget();
}

void Exchange::fill(memory::State& state, int reg, const Queue& queue) {
  fill(state.start(reg), queue);
  state.set_valid_ghosts(reg, layers_);
}

void Exchange::around(memory::State& state, int reg, const Queue& queue, const Compute& compute,
                      const Written& written) {
  if (way_ == Way::halves) {
    around_halves(state, reg, queue, compute, written);
  } else {
    // Stages that store the ghosts of others meet them, whoever filled those of this register.
    if (state.valid_ghosts(reg) < layers_ || far_ != nullptr) {
      fill_for_computing(state.start(reg), queue);
      if (copies_) state.set_valid_ghosts(reg, layers_);
    }
    for (const Work& w : whole_) compute(w.block, w.box, queue);
  }
}

// A half's boundary cells are the others' ghosts on the opposite side: after half h batch 1 - h
// leaves. Nothing is under way between two calls.
void Exchange::around_halves(memory::State& state, int reg, const Queue& queue,
                             const Compute& compute, const Written& written) {
  Queue beside = queue;
  beside.beside_messages = true;
  const bool valid = state.valid_ghosts(reg) >= layers_;
  const bool early = !valid && early_.start == state.start(reg);
  if (!valid && !early) fill_for_computing(state.start(reg), queue);
  if (early) {
    if (copies_) copy_local(state.start(reg), queue);
    send(early_.missing, state.start(reg), queue);
  }
  // Until the missing ghosts have come, the half that does not read them.
  const int first = early ? 1 - early_.missing : 0, second = 1 - first;
  for (const Work& w : half_[first]) compute(w.block, w.box, beside);
  if (early) {
    receive(early_.missing, state.start(reg), queue);
    forget();
  }
  if (copies_) state.set_valid_ghosts(reg, layers_);
  Exchange* const next = written.exchange;
  const bool send_early = next != nullptr && next->way_ == Way::halves;
  if (send_early) next->send(second, written.state->start(written.reg), queue);
  for (const Work& w : half_[second]) compute(w.block, w.box, beside);
  if (send_early) {
    next->receive(second, written.state->start(written.reg), queue);
    next->early_ = {written.state->start(written.reg), first};
  }
}

void Exchange::poison(memory::State& state, int reg, const Queue& queue) const {
  // What stages have stored is not filled again after a step that was taken back.
  if (far_ != nullptr || !copies_) return state.set_valid_ghosts(reg, 0);
  run(local_, state.start(reg), nullptr, exec::GhostAction::poison, queue);
  run(open_, state.start(reg), nullptr, exec::GhostAction::poison, queue);
  for (const Batch& batch : batches_) {
    run(batch.unpack, state.start(reg), batch.in.start(), exec::GhostAction::poison, queue);
  }
  state.set_valid_ghosts(reg, 0);
}

}  // namespace watersmeet::comm

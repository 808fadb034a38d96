#pragma once
// A communicator that counts what leaves this rank.

#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "comm/communicator.hpp"

namespace watersmeet::test {

struct Count {
  double exchanges = 0, messages = 0, bytes = 0;
};

// Counts what leaves this rank. A level of multigrid that is gathered travels as a sum of many integers.
class CountingCommunicator final : public comm::Communicator {
 public:
  CountingCommunicator(comm::Communicator& of, Count& count) : of_(&of), count_(&count) {
    inherit(of);
  }
  CountingCommunicator(std::unique_ptr<comm::Communicator> of, Count& count)
      : CountingCommunicator(*of, count) {
    own_ = std::move(of);
  }
  int rank() const override { return of_->rank(); }
  int size() const override { return of_->size(); }
  std::string description() const override { return of_->description(); }
  void begin(std::span<const comm::Outgoing> out, std::span<const comm::Incoming> in) override {
    if (!out.empty() || !in.empty()) count_->exchanges += 1;
    count_->messages += static_cast<double>(out.size());
    for (const comm::Outgoing& message : out) count_->bytes += static_cast<double>(message.size);
    of_->begin(out, in);
  }
  bool finished() override { return of_->finished(); }
  void broadcast(void* bytes, std::size_t size, int root) override {
    of_->broadcast(bytes, size, root);
  }
  void all_gather(const void* mine, std::size_t size, void* all) override {
    of_->all_gather(mine, size, all);
  }
  void all_reduce_max(std::span<std::uint64_t> words) override { of_->all_reduce_max(words); }
  void all_reduce_sum(std::span<std::int64_t> words) override {
    if (words.size() > 64) {
      count_->exchanges += 1;
      count_->bytes += static_cast<double>(words.size_bytes());
    }
    of_->all_reduce_sum(words);
  }
  void all_reduce_xor(std::span<std::uint32_t> words) override { of_->all_reduce_xor(words); }
  std::unique_ptr<comm::Communicator> duplicate() override {
    return std::make_unique<CountingCommunicator>(of_->duplicate(), *count_);
  }
  std::unique_ptr<comm::Communicator> subset(bool member) override {
    auto part = of_->subset(member);
    return part ? std::make_unique<CountingCommunicator>(std::move(part), *count_) : nullptr;
  }
  bool concurrent() const override { return of_->concurrent(); }
  [[noreturn]] void abort(int) noexcept override { std::terminate(); }

 private:
  std::unique_ptr<comm::Communicator> own_;
  comm::Communicator* of_;
  Count* count_;
};

}  // namespace watersmeet::test

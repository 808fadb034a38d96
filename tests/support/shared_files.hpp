#pragma once
// Sample files of several ranks: values that are functions of the cell alone, partitions, and a
// communicator that passes everything on but lets a test step in between.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "core/types.hpp"
#include "io/checkpoint.hpp"
#include "io/share.hpp"
#include "io/snapshot.hpp"

namespace watersmeet::test {

// A finite number of arbitrary bits, the same for the same cell, component and variable.
inline double value_at(std::int64_t i, std::int64_t j, std::int64_t k, int c, int variable) {
  auto bits = static_cast<std::uint64_t>(((k * 1000 + j) * 1000 + i) * 100 + 10 * c + variable + 1);
  double value = 0;
  do {  // splitmix64
    bits += 0x9E3779B97F4A7C15u;
    std::uint64_t z = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    value = std::bit_cast<double>(z ^ (z >> 31));
  } while (!std::isfinite(value) || std::abs(value) > 1e38);
  return value;
}

template <class T>
std::vector<T> values_in(const Box& box, int components, int variable) {
  std::vector<T> values;
  for (std::int64_t k = box.lower[2]; k < box.upper[2]; ++k) {
    for (std::int64_t j = box.lower[1]; j < box.upper[1]; ++j) {
      for (std::int64_t i = box.lower[0]; i < box.upper[0]; ++i) {
        for (int c = 0; c < components; ++c) {
          values.push_back(static_cast<T>(value_at(i, j, k, c, variable)));
        }
      }
    }
  }
  return values;
}

// Cuts the box of n cells at random until there are as many parts; the order is random, too. Parts
// can be single cells, and are empty where there are not cells enough.
inline std::vector<Box> random_boxes(const Index3& n, int parts, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Box> boxes{{{0, 0, 0}, n}};
  for (int tries = 0; tries < 100 && static_cast<int>(boxes.size()) < parts; ++tries) {
    Box& box = boxes[random() % boxes.size()];
    const std::size_t axis = random() % 3;
    const std::int64_t length = box.upper[axis] - box.lower[axis];
    if (length < 2) continue;
    const std::int64_t cut =
        box.lower[axis] + 1 + static_cast<std::int64_t>(random()) % (length - 1);
    Box upper = box;
    upper.lower[axis] = cut;
    box.upper[axis] = cut;
    boxes.push_back(upper);
  }
  boxes.resize(static_cast<std::size_t>(parts), Box{});
  std::shuffle(boxes.begin(), boxes.end(), random);
  return boxes;
}

// Blocks of a regular partition, x fastest.
inline std::vector<Box> regular_boxes(const Index3& n, const Index3& parts) {
  std::vector<Box> boxes;
  for (std::int64_t k = 0; k < parts[2]; ++k) {
    for (std::int64_t j = 0; j < parts[1]; ++j) {
      for (std::int64_t i = 0; i < parts[0]; ++i) {
        const Index3 at{i, j, k};
        Box box;
        for (std::size_t a = 0; a < 3; ++a) {
          box.lower[a] = n[a] * at[a] / parts[a];
          box.upper[a] = n[a] * (at[a] + 1) / parts[a];
        }
        boxes.push_back(box);
      }
    }
  }
  return boxes;
}

// The parts that so many ranks are tested with: slabs along each axis, blocks, random boxes.
inline std::vector<std::vector<Box>> partitions(const Index3& n, int ranks) {
  std::vector<std::vector<Box>> all{regular_boxes(n, {1, 1, ranks}),
                                    regular_boxes(n, {1, ranks, 1}),
                                    regular_boxes(n, {ranks, 1, 1})};
  if (ranks % 4 == 0) all.push_back(regular_boxes(n, {2, 2, ranks / 4}));
  for (unsigned seed = 1; seed <= 3; ++seed) all.push_back(random_boxes(n, ranks, seed));
  return all;
}

// One rank's part of the sample state, as snapshot and as checkpoint.
class SampleState {
 public:
  SampleState(const Index3& n, const Box& box)
      : ux(values_in<double>(box, 1, 0)),
        lnrho(values_in<float>(box, 1, 1)),
        velocity(values_in<double>(box, 3, 2)) {
    checkpoint.n = n;
    checkpoint.arrays = {{"ux", Precision::double_, ux.data()},
                         {"lnrho", Precision::single_, lnrho.data()}};
    checkpoint.reals = {{"t", 0.1}, {"dt", 0.01}};
    checkpoint.integers = {{"step", 25}};
    checkpoint.texts = {{"system", "isothermal"}};
    grid.n = n;
    fields = {{"ux", "", "m s-1", "", 1, Precision::double_, ux.data()},
              {"lnrho", "", "1", "", 1, Precision::single_, lnrho.data()},
              {"velocity", "", "m s-1", "", 3, Precision::double_, velocity.data()}};
    provenance.program = "watersmeet";
  }
  SampleState(const SampleState&) = delete;
  SampleState& operator=(const SampleState&) = delete;

  void write_snapshot(const std::string& path, const io::Share& share,
                      const std::string& precision = "") const {
    io::write_snapshot(path, grid, 0.1, 25, 0.01, 1, fields, provenance, precision, share);
  }
  void write_checkpoint(const std::string& path, const io::Share& share) const {
    io::write_checkpoint(path, checkpoint, provenance, share);
  }

  std::vector<double> ux;
  std::vector<float> lnrho;
  std::vector<double> velocity;
  io::Checkpoint checkpoint;
  io::SnapshotGrid grid;
  std::vector<io::SnapshotField> fields;
  io::Provenance provenance;
};

// Another communicator's calls, without its MPI_Comm where asked; `before` is told of each with its
// number.
class Observed final : public comm::Communicator {
 public:
  Observed(comm::Communicator& inner, bool show_native,
           std::function<void(int call, const char* what)> before = nullptr)
      : inner_(inner), show_native_(show_native), before_(std::move(before)) {
    set_patience(inner.patience());
  }
  int rank() const override { return inner_.rank(); }
  int size() const override { return inner_.size(); }
  std::string description() const override { return inner_.description(); }
  void begin(std::span<const comm::Outgoing> out, std::span<const comm::Incoming> in) override {
    tell(in.empty() ? "send" : "receive");
    inner_.begin(out, in);
  }
  bool finished() override { return inner_.finished(); }
  void broadcast(void* bytes, std::size_t size, int root) override {
    tell("broadcast");
    inner_.broadcast(bytes, size, root);
  }
  void all_gather(const void* mine, std::size_t size, void* all) override {
    tell("all_gather");
    inner_.all_gather(mine, size, all);
  }
  void all_reduce_max(std::span<std::uint64_t> words) override { inner_.all_reduce_max(words); }
  void all_reduce_sum(std::span<std::int64_t> words) override { inner_.all_reduce_sum(words); }
  void all_reduce_xor(std::span<std::uint32_t> words) override { inner_.all_reduce_xor(words); }
  std::unique_ptr<Communicator> duplicate() override { return inner_.duplicate(); }
  std::unique_ptr<Communicator> subset(bool member) override { return inner_.subset(member); }
  bool concurrent() const override { return inner_.concurrent(); }
  const void* native() const override { return show_native_ ? inner_.native() : nullptr; }
  [[noreturn]] void abort(int status) noexcept override {
    inner_.abort(status);
    std::terminate();
  }

 private:
  void tell(const char* what) {
    if (before_) before_(calls_++, what);
  }
  comm::Communicator& inner_;
  bool show_native_;
  std::function<void(int, const char*)> before_;
  int calls_ = 0;
};

}  // namespace watersmeet::test

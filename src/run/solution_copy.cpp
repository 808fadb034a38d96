#include "run/solution_copy.hpp"

#include <fmt/format.h>

#include <cstring>

#include "exec/difference.hpp"

namespace watersmeet::run {

namespace {

// Variables of a register that lie one behind the other.
struct Piece {
  memory::State* state;
  int reg, variable;
  std::vector<std::string> names;

  std::size_t bytes() const {
    return static_cast<std::size_t>(state->layout(0).stride_var) * names.size() *
           size_of(state->precision());
  }
  char* start() const {
    return static_cast<char*>(state->start(reg)) +
           static_cast<std::size_t>(state->layout(0).stride_var * variable) *
               size_of(state->precision());
  }
};

// The state itself, then each further array. Which registers they are changes from step to step, their order does not.
std::vector<Piece> pieces_of(systems::System& system) {
  std::vector<Piece> pieces{{&system.state(), system.current_register(), 0, {}}};
  for (const Variable& v : system.variables()) pieces[0].names.push_back(v.name);
  for (const systems::StoredArray& a : system.further_arrays())
    pieces.push_back({a.state, a.reg, a.variable, {a.name}});
  return pieces;
}

// With all its digits.
std::string value_text(const void* value, Precision precision, const Queue& queue) {
  double number = 0;
  copy_bytes(&number, value, size_of(precision), queue);
  synchronize(queue);
  if (precision == Precision::double_) return fmt::format("{:.17g}", number);
  float single = 0;
  std::memcpy(&single, &number, sizeof(single));
  return fmt::format("{:.9g}", single);
}

}  // namespace

void SolutionCopy::take_arrays(systems::System& system, const Queue& queue) {
  const std::vector<Piece> pieces = pieces_of(system);
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    if (arrays_.size() == p)
      arrays_.emplace_back(memory::working_space(queue.backend), pieces[p].bytes());
    copy_bytes(arrays_[p].start(), pieces[p].start(), pieces[p].bytes(), queue);
  }
}

void SolutionCopy::put_back(systems::System& system, const Queue& queue) const {
  const std::vector<Piece> pieces = pieces_of(system);
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    copy_bytes(pieces[p].start(), arrays_[p].start(), pieces[p].bytes(), queue);
    pieces[p].state->set_valid_ghosts(pieces[p].reg, 0);
  }
  synchronize(queue);
}

SolutionCopy::Differing SolutionCopy::compare(systems::System& system, const Index3& corner,
                                              const Queue& queue) const {
  const std::vector<Piece> pieces = pieces_of(system);
  Differing all;
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    const Piece& piece = pieces[p];
    const exec::TwoCopies copies{arrays_[p].start(), piece.start(), piece.state->layout(0),
                                 static_cast<int>(piece.names.size()), piece.state->precision()};
    const exec::Difference found = exec::find_difference(copies, queue);
    if (found.count > 0 && all.count == 0) {
      const auto& n = copies.layout.n;
      const std::int64_t i = found.first % n[0], row = found.first / n[0];
      const std::int64_t plane = row / n[1];
      const std::size_t byte =
          static_cast<std::size_t>(copies.at(found.first)) * size_of(copies.precision);
      const auto text = [&](const void* start) {
        return value_text(static_cast<const char*>(start) + byte, copies.precision, queue);
      };
      all.first = fmt::format("{} in ({}, {}, {}) is {} and {}",
                              piece.names[static_cast<std::size_t>(plane / n[2])], corner[0] + i,
                              corner[1] + row % n[1], corner[2] + plane % n[2], text(copies.one),
                              text(copies.other));
    }
    all.count += found.count;
  }
  return all;
}

std::size_t SolutionCopy::bytes_per_cell(const systems::System& system) {
  return system.variables().size() * size_of(system.precision());
}

}  // namespace watersmeet::run

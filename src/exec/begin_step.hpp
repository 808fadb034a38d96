#pragma once
// The beginning of a step: the clock moves (exec/clock.hpp), and what a system prepares for the step is made after it, where the kernels
// run. A preparation is a functor with
//   using Drawn;                                            made once a step, by one thread
//   bool wanted() const;                                    whether there is anything to prepare
//   Drawn draw(Clock&) const;                               in a step that happens
//   std::int64_t entries() const;                           of its tables
//   void write(const Drawn&, std::int64_t entry) const;     by many threads

#include "exec/back_end.hpp"
#include "exec/clock.hpp"

namespace watersmeet::exec {

struct NothingMore {};

}  // namespace watersmeet::exec

#pragma once
// The rows of a case whose values must have the same bits on any number of CPU threads, and after
// the run was stopped, saved and restored half way.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "verify/verification.hpp"

namespace watersmeet::verify {

struct BitSteps {
  std::int64_t on_threads = 0;         // of the runs on one and on several threads
  std::int64_t before = 0, after = 0;  // of the run that is stopped
  std::vector<int> threads = {2, 3};
};

// `start` makes the case on so many threads, 0: on those that the verification was given. A GPU has
// no rows of threads. Names of rows begin with `name`.
void bit_rows(Verification& v, const std::string& name, const BitSteps& steps,
              const std::function<Simulation(int threads)>& start);
// Of the case of the text of an input file.
void bit_rows(Verification& v, const std::string& name, const BitSteps& steps,
              const std::string& case_text);

}  // namespace watersmeet::verify

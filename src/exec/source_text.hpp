#pragma once
// The source text of the kernel that adds the terms of a case (exec/source_pass_cuda.hpp says what it has).

#include <string>
#include <vector>

#include "exec/source_terms.hpp"

namespace watersmeet::exec {

struct SourceText {
  std::string
      text;  // CUDA C++ with the kernel `add_sources`; addresses of values and tables stand in it as numbers
  int cells_of_thread = 1;
};
SourceText source_text(const SourceTerms& terms);

// Its machine code for GPUs of this compute capability (90: 9.0). Needs no device. Errors: Error{device} where NVRTC, the compiler of the CUDA
// toolkit that is used while programs run, cannot be loaded; Error{internal} with its words where the text has a fault.
std::vector<char> compiled_source(const std::string& text, int compute_capability);

}  // namespace watersmeet::exec

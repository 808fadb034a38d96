// Source terms of a build without CUDA: never called, because no such queue can be made.
#include "core/error.hpp"
#include "exec/source_terms.hpp"

namespace watersmeet::exec::detail {
void add_sources_cuda(const SourceTerms&, const Launch&) {
  require(false, "no CUDA back end in this build");
}
}  // namespace watersmeet::exec::detail

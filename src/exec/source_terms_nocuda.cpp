// Source terms of a build without CUDA: never called, because no such queue can be made.
#include "core/error.hpp"
#include "exec/source_terms.hpp"
#include "exec/source_text.hpp"

namespace watersmeet::exec {

std::vector<char> compiled_source(const std::string&, int) {
  require(false, "no CUDA back end in this build");
  return {};
}

namespace detail {
std::shared_ptr<const SourceKernel> compile_sources_cuda(const SourceTerms&) {
  require(false, "no CUDA back end in this build");
  return nullptr;
}
void add_sources_cuda(const SourceKernel&, const SourcePass&, const Queue&) {
  require(false, "no CUDA back end in this build");
}
}  // namespace detail

}  // namespace watersmeet::exec

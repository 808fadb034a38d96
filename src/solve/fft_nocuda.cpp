// Spectra of a build without CUDA: never called, because no such queue can be made.
#include "core/error.hpp"
#include "solve/spectra.hpp"

namespace watersmeet::solve::detail {
std::vector<double> power_cuda(const SpectrumInput&, std::size_t, const Queue&) {
  require(false, "no CUDA back end in this build");
  return {};
}
}  // namespace watersmeet::solve::detail

#include "core/error.hpp"
#include "exec/recorded.hpp"

namespace watersmeet::exec {

struct Recorded::Graph {};

Recorded::Recorded(const std::function<void(const Queue&)>&) {
  throw Error(ErrorKind::unsupported, "this build has no CUDA back end");
}
Recorded::~Recorded() = default;
void Recorded::run(const Queue&) const {}

}  // namespace watersmeet::exec

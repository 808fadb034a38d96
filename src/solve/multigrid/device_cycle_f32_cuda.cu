#include "solve/multigrid/device_cycle_cuda.hpp"

namespace watersmeet::solve {
template class DeviceCycle<float>;
}  // namespace watersmeet::solve

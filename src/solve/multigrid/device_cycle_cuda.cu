#include "solve/multigrid/device_cycle_cuda.hpp"

namespace watersmeet::solve {
template class DeviceCycle<float>;
template class DeviceCycle<double>;
}  // namespace watersmeet::solve

#include "solve/multigrid/device_cycle_cuda.hpp"

namespace watersmeet::solve {
template class DeviceCycle<float>;
template class DeviceCycle<double>;
template std::unique_ptr<SharedCycle<float>> make_slab_cycle(const std::vector<Level>&,
                                                             const std::vector<LevelCut>&,
                                                             const Sweeps&, comm::Team*,
                                                             const Queue&);
template std::unique_ptr<SharedCycle<double>> make_slab_cycle(const std::vector<Level>&,
                                                              const std::vector<LevelCut>&,
                                                              const Sweeps&, comm::Team*,
                                                              const Queue&);
}  // namespace watersmeet::solve

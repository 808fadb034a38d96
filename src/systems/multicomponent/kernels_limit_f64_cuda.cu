#include "systems/multicomponent/limit_cuda.hpp"

namespace watersmeet::multicomponent {
template void find_inadmissible_cuda<double>(const StageCall&, const LimitCall&);
template void limit_faces_cuda<double>(const StageCall&, const LimitCall&);
}  // namespace watersmeet::multicomponent

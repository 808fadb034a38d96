#include "systems/multicomponent/limit_cuda.hpp"

namespace watersmeet::multicomponent {
template void find_inadmissible_cuda<float>(const StageCall&, const LimitCall&);
template void limit_faces_cuda<float>(const StageCall&, const LimitCall&);
}  // namespace watersmeet::multicomponent

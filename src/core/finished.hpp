#pragma once
// What the last stage of a step leaves behind at a point, besides the new values (exec/cell.hpp).

namespace watersmeet {

template <class T>
struct Finished {
  T signal;  // its maximum over the cells sets the next time step; NaN when the point is not finite
  T work;    // done on the point by a kick, per unit mass; its mean over the cells is accumulated
};

}  // namespace watersmeet

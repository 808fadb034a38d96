#pragma once
// What a reconstruction along one axis makes of a cell: its values at both ends.

namespace watersmeet::schemes {

template <class T>
struct EdgeValues {
  T lower, upper;
};

}  // namespace watersmeet::schemes

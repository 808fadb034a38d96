#pragma once
// What a sampler of the reduce form returns for one point (or pack of points).

#include "core/vec.hpp"

namespace watersmeet::exec {

template <class T, int n_sums, int n_maxima>
struct Sample {
  Vec<T, n_sums> sum;
  Vec<T, n_maxima> maximum;
};

}  // namespace watersmeet::exec

#pragma once
// A flow given by expressions for density, pressure and velocity; what is left out is a flow
// beneath.

#include <memory>
#include <string>
#include <vector>

#include "config/input.hpp"
#include "core/types.hpp"
#include "systems/aerodynamics/equations.hpp"

namespace watersmeet::aerodynamics {

// Keys PREFIXdensity, PREFIXpressure and PREFIXvelocity in x y z r and perhaps t.
std::vector<config::Key> expression_flow_keys(const std::string& prefix, bool with_time,
                                              const std::string& about);

class ExpressionFlow {
 public:
  ExpressionFlow(const config::Input& input, const std::string& prefix,
                 const Primitive<double>& beneath, bool with_time);

  // Not for several threads at once.
  Primitive<double> at(const Real3& x, double t) const { return at(x, t, beneath_); }
  Primitive<double> at(const Real3& x, double t, const Primitive<double>& beneath) const;
  bool varies_in_time() const;

 private:
  struct Part;
  std::vector<std::shared_ptr<Part>> parts_;
  Primitive<double> beneath_;
};

}  // namespace watersmeet::aerodynamics

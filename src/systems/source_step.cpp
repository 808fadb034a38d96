#include "systems/source_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace watersmeet::systems {

using config::FaultKind;

namespace {
// The largest part of the limiting Courant number with decaying sources, which need the rest of the stable interval.
constexpr double highest_share = 0.95;

std::string words_of(const schemes::SourceRates& rates) {
  std::string words;
  if (rates.decay > 0) words = fmt::format("sponges of rate {:g}", rates.decay);
  if (rates.turning > 0) {
    words +=
        fmt::format("{}a Coriolis parameter of {:g}", words.empty() ? "" : " and ", rates.turning);
  }
  return words;
}
}  // namespace

void bound_by_sources(config::Input& input, exec::StepRule& rule, const SteppedFlow& flow,
                      const schemes::SourceRates& rates) {
  if (!rates.any()) return;
  const auto& polynomial = flow.scheme.amplification;
  if (rule.fixed > 0) {
    const double longest = schemes::longest_source_step(polynomial, rates);
    if (rule.fixed <= longest) return;
    input.fault(FaultKind::range, "time.dt",
                fmt::format("{} is unstable at dt = {:g} with {}: the limit is {:.3g}",
                            flow.scheme.name, rule.fixed, words_of(rates), longest),
                "use a shorter step, or remove dt: the step from time.cfl includes this limit");
    return;
  }
  const double share = rule.cfl / flow.limit;
  if (rates.decay > 0 && share > highest_share) {
    input.fault(
        FaultKind::range, "time.cfl",
        fmt::format("cfl = {:g} is too large for {} with {}: the limit with them is {:.3g}",
                    rule.cfl, flow.scheme.name, words_of(rates), highest_share * flow.limit),
        fmt::format("use time.cfl = {:.2g}", 0.9 * highest_share * flow.limit));
    return;
  }
  // At the limit itself the least turning would be too much for the one wave that is neutral there.
  const double courant =
      std::min(share, 0.99) * schemes::kappa_stability_limit(flow.kappa, polynomial);
  rule.longest =
      schemes::longest_source_step(polynomial, rates, {flow.kappa, courant, flow.diffusion});
}

}  // namespace watersmeet::systems

#pragma once
// What the ranks of a case send each other in a step, known before anything is allocated: for the model of their speed (run/rank_model.hpp).

#include <cstddef>
#include <vector>

#include "comm/domain.hpp"
#include "comm/team.hpp"
#include "mesh/ghosts.hpp"
#include "mesh/panel_part.hpp"

namespace watersmeet::comm {

// One exchange, of the rank that sends most.
struct ExchangeSize {
  double bytes = 0, messages = 0;
  bool halves = false;  // the cells are computed in halves meanwhile (exchange.hpp)
  int axis = -1;        // across which the parts are slabs
  // Stages store the ghosts where they can reach them, and an exchange only meets (exchange.hpp).
  bool stored = false;
};

// The size of an Exchange by this plan; value_bytes: of one cell.
ExchangeSize size_of_exchange(const Domain& domain, const mesh::GhostPlan& plan,
                              std::size_t value_bytes, Overlap overlap);
// The size of PanelStrips; `all`: of their whole reach.
ExchangeSize size_of_strips(const Domain& domain, const mesh::StripLayout& layout, bool all,
                            Precision precision);

struct Traffic {
  struct Exchanges {
    double times = 0;  // in a step
    ExchangeSize each;
  };
  std::vector<Exchanges> exchanges;
  // Reductions in a step whose results the hosts wait for, beside the one that ends a step. `reductions`: those that take their place between the
  // GPUs of a host, where no host waits; 0: none do.
  double waits = 0, reductions = 0;
  // Points that every rank computes beside its part.
  double repeated = 0;

  // Without messages there is no exchange.
  void add(double times, const ExchangeSize& each) {
    if (times > 0 && each.messages > 0) exchanges.push_back({times, each});
  }
  double count() const {
    double sum = 0;
    for (const Exchanges& e : exchanges) sum += e.times;
    return sum;
  }
  double bytes() const {
    double sum = 0;
    for (const Exchanges& e : exchanges) sum += e.times * e.each.bytes;
    return sum;
  }
};

}  // namespace watersmeet::comm

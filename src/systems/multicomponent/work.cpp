// Runs the formulas of a cell with numbers that count.
#include "systems/multicomponent/work.hpp"

#include "exec/face.hpp"

namespace watersmeet::multicomponent {

namespace {

// The count depends on no value; those of a gas with slopes, so that no case is special.
struct Sample {
  OperationCount* count;
  Counted operator()(int v, int m) const {
    const double base[n_variables] = {1, 0.1, 0.2, 0.3, 1, 2.5, 0.1};
    return {base[v] * (1 + 0.01 * m), count};
  }
  Conserved<Counted> cell() const {
    Conserved<Counted> s;
    for (int v = 0; v < n_variables; ++v) s[v] = (*this)(v, 0);
    return s;
  }
};

// What `formula` does with the numbers of a sample.
template <class Formula>
OperationCount counted(const Formula& formula) {
  OperationCount count;
  formula(Sample{&count});
  return count;
}

template <Variant variant>
CellWork count_cell(const FlowParameters<double>& parameters, const Finish<double>& finish,
                    const exec::TimeScheme& scheme) {
  Flow<double, variant> flow;
  flow.p = parameters;
  CellWork work;
  work.state = counted([&](const Sample& s) { flow.state(s.cell()); });
  work.edges = counted([&](const Sample& s) { flow.template edges<Counted>(s); });
  work.flux = counted([&](const Sample& s) { flow.template flux<0, Counted>(s.cell(), s.cell()); });
  const auto count_closing = [&]<int axis>() {
    work.closing[axis] = counted([&](const Sample& s) {
      const exec::Edges<Counted, n_variables> edges = {s.cell(), s.cell(), 0.0};
      Record<Counted> record;
      for (int v = 0; v < n_records; ++v) record[v] = s(0, v);
      Conserved<Counted> rate;
      flow.template add<axis, Counted>(rate, record, record, s.cell(), flow.keep(edges, s.cell()),
                                       0);
    });
  };
  count_closing.template operator()<0>();
  count_closing.template operator()<1>();
  count_closing.template operator()<2>();
  for (const exec::StageUpdate<double>& update : scheme.stages) {
    work.update.push_back(counted([&](const Sample& s) {
      for (int v = 0; v < n_variables; ++v) {
        exec::advance_value(update, s(v, 0), s(v, 1), s(v, 2), 1e-3);
      }
    }));
  }
  work.finish = counted([&](const Sample& s) {
    Conserved<Counted> stored = s.cell();
    finish(stored);
  });
  return work;
}

}  // namespace

CellWork work_of_cell(Variant variant, const FlowParameters<double>& flow,
                      const Finish<double>& finish, const exec::TimeScheme& scheme) {
  if (variant == Variant::js) return count_cell<Variant::js>(flow, finish, scheme);
  if (variant == Variant::z) return count_cell<Variant::z>(flow, finish, scheme);
  return count_cell<Variant::general>(flow, finish, scheme);
}

OperationCount work_of_stage(const CellWork& work, const FlowParameters<double>& flow) {
  OperationCount sum = work.state;
  for (int axis = 0; axis < 3; ++axis) {
    if (flow.inverse_spacing[axis] > 0) sum = sum + work.along(axis);
  }
  OperationCount step = work.finish;
  for (const OperationCount& update : work.update) step = step + update;
  return sum + (1 / static_cast<double>(work.update.size())) * step;
}

}  // namespace watersmeet::multicomponent

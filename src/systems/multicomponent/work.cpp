// Runs the formulas of a cell with numbers that count.
#include "systems/multicomponent/work.hpp"

#include "exec/face.hpp"
#include "systems/multicomponent/stretched.hpp"

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

template <class AnyFlow, class AnyFinish>
CellWork count_cell(const AnyFlow& flow, const AnyFinish& finish, const exec::TimeScheme& scheme) {
  const exec::Place at{0, 0, 0};
  CellWork work;
  work.state = counted([&](const Sample& s) { exec::state_at<Counted>(flow, s.cell(), at); });
  work.edges = counted([&](const Sample& s) { exec::edges_at<0, Counted>(flow, s, at); });
  work.flux =
      counted([&](const Sample& s) { exec::flux_at<0, Counted>(flow, s.cell(), s.cell(), at); });
  const auto count_closing = [&]<int axis>() {
    work.closing[axis] = counted([&](const Sample& s) {
      const exec::Edges<Counted, n_variables> edges = {s.cell(), s.cell(), 0.0};
      Record<Counted> record;
      for (int v = 0; v < n_records; ++v) record[v] = s(0, v);
      Conserved<Counted> rate;
      exec::add_at<axis, Counted>(flow, rate, record, record, s.cell(),
                                  exec::keep_at<axis, Counted>(flow, edges, s.cell(), at), at);
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
    exec::finish_at(finish, stored, at);
  });
  return work;
}

}  // namespace

CellWork work_of_cell(Variant variant, const FlowParameters<double>& flow,
                      const Finish<double>& finish, const exec::TimeScheme& scheme) {
  if (variant == Variant::js) return count_cell(Flow<double, Variant::js>{flow}, finish, scheme);
  if (variant == Variant::z) return count_cell(Flow<double, Variant::z>{flow}, finish, scheme);
  if (variant == Variant::general)
    return count_cell(Flow<double, Variant::general>{flow}, finish, scheme);
  const double one[1] = {1};
  StretchedCells<double> cells{flow.inverse_spacing, {one, one, one}, {0, 0, 0}};
  return count_cell(StretchedFlow<double>{{flow}, cells}, StretchedFinish<double>{finish, cells},
                    scheme);
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

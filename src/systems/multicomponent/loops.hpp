#pragma once
// The launches of the multicomponent system, and what they are made of: the parameters of a case in double, and the variant that is chosen
// at set-up (flow.hpp).

#include <cstdint>
#include <memory>

#include "exec/face_limit.hpp"
#include "exec/loops.hpp"
#include "systems/multicomponent/boundaries.hpp"
#include "systems/multicomponent/boundary/ledger_count.hpp"
#include "systems/multicomponent/diagnostics.hpp"
#include "systems/multicomponent/flow.hpp"

namespace watersmeet::multicomponent {

// Numbers of cells of different widths on the device, in the run's precision (cell_tables.hpp).
struct CellNumbers {
  const void* start[3] = {};          // number 0 of the first cell of the part
  std::int64_t pitch[3] = {0, 0, 0};  // elements to the next number
  Index3 first{0, 0, 0};              // cell 0 of the launch, in cells of the part
};

struct Case {
  FlowParameters<double> flow;
  Finish<double> finish;
  DiagnoseParameters diagnose;
  EvaluateParameters evaluate;  // of the quantity that is evaluated next
  CellNumbers numbers;          // Variant::stretched only
};

// The passes of the flux limiter (limiter.hpp): flags in one ghost layer, and what the passes count.
struct LimitPassCall {
  const BlockLayout* layout = nullptr;  // of the flags
  void* flags = nullptr;                // register start
  exec::LimitRows rows;
  exec::LimitRecord* record = nullptr;  // on the device
  int pass = 1;
  bool alone = true;  // no other rank has cells
};

class TwoFluidLoops : public exec::Loops {
 public:
  // Ghost cells of `out` behind sides that have conditions.
  virtual void fill_boundaries(const exec::Launch& launch, const BoundaryCall& boundaries) = 0;
  // Adds to the ledger what the stage that reads `in` lets out through sides that have conditions.
  virtual void count_boundaries(const exec::Launch& launch, const BoundaryCall& boundaries,
                                const LedgerCall& ledger) = 0;
  // The largest density gradient of a box of `in`. Waits for the queue.
  virtual double steepest(const exec::Launch& launch) = 0;
  // The flux limiter on what a stage wrote to `out`: cells outside the admissible set, then their faces at first order.
  virtual void find_inadmissible(const exec::Launch& launch, const LimitPassCall& limit) = 0;
  virtual void limit_faces(const exec::Launch& launch, const LimitPassCall& limit) = 0;
  // The update of a stage and what follows the last one, from rates (exec/rate_update_cpu.hpp), of loops of the CPU.
  virtual void update(const exec::Launch& launch) = 0;
  // The launch of a stage along one axis, for `bench`; whether a stage has such launches.
  virtual bool sweep(const exec::Launch& launch, int axis) = 0;
  virtual bool sweeps() const = 0;
};

std::unique_ptr<TwoFluidLoops> make_loops(Backend backend, Precision precision, Variant variant,
                                          const Case& of);

// The loops of one back end and number type; variants.hpp and stretched_variants.hpp define them for the files
// that the build makes.
template <class BackEnd, class R>
struct Variants {
  static std::unique_ptr<TwoFluidLoops> make(Variant variant, const Case& of);
};
template <class BackEnd, class R>
struct StretchedVariants {
  static std::unique_ptr<TwoFluidLoops> make(Variant variant, const Case& of);
};

}  // namespace watersmeet::multicomponent

#include "verify/bit_rows.hpp"

#include <fmt/format.h>

#include "verify/norms.hpp"
#include "verify/temporary_folder.hpp"

namespace watersmeet::verify {

void bit_rows(Verification& v, const std::string& name, const BitSteps& steps,
              const std::function<Simulation(int threads)>& start) {
  if (!v.on_gpu()) {
    Simulation one = start(1);
    one.step(steps.on_threads);
    for (const int threads : steps.threads) {
      Simulation several = start(threads);
      several.step(steps.on_threads);
      v.zero(fmt::format("{}1 or {} threads: values that differ", name, threads),
             count_different(one, several));
    }
  }
  Simulation straight = start(0);
  straight.step(steps.before + steps.after);
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/half.h5";
  Simulation first = start(0);
  first.step(steps.before);
  first.save(path);
  Simulation second = start(0);
  second.restore(path);
  second.step(steps.after);
  v.zero(name + "saved and restored: values that differ", count_different(straight, second));
}

}  // namespace watersmeet::verify

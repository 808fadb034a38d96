#pragma once
// Runs of which some steps are carried out twice: they have the bits of a run without, and a bit that is flipped in the second of two is found.

#include <cstdint>
#include <string>
#include <vector>

#include "commands/examples.hpp"
#include "core/error.hpp"
#include "memory/state.hpp"
#include "run/engine.hpp"

namespace watersmeet::test {

// A case of each system, with what makes it small.
struct SmallCase {
  std::string example;
  std::vector<std::string> set;
};
inline std::vector<SmallCase> small_cases() {
  return {{"forced-turbulence/quick", {"grid.cells=[12,10,8]", "time.steps=9"}},
          {"orszag-tang/quick", {"grid.cells=[16,16,1]", "time.steps=9"}},
          {"single-bubble/quick", {"grid.cells=[24,12,1]", "time.steps=9"}},
          {"rayleigh-benard/quick", {"grid.cells=[12,10,8]", "time.steps=9"}},
          {"rayleigh-benard/quick",
           {"grid.cells=[16,16,8]", "time.steps=9", "numerics.pressure.solver=\"mg\""}},
          {"naca0012/quick", {"time.steps_max=9", "time.residual_drop=0"}},
          {"williamson-6/quick", {"grid.cells=8", "time.steps=9"}},
          {"dam-break/quick", {"grid.cells=[24,1,1]", "time.steps=9"}},
          {"warm-bubble/quick", {"grid.cells=[16,1,12]", "time.steps=9"}},
          {"dcmip31/quick",
           {"grid.cells=[8,8,6]", "time.steps=9", "time.scheme=\"hevi\"", "time.cfl=0.7"}}};
}

inline run::Case load_small(const SmallCase& c, const std::string& device, int verify_every) {
  SimulationOptions options;
  options.set = c.set;
  options.set.push_back("device.kind=\"" + device + "\"");
  options.set.push_back("device.threads=1");
  options.set.push_back("device.verify_every=" + std::to_string(verify_every));
  return run::load_case(commands::resolve_case(c.example),
                        options);  // also on a machine without the sources
}

inline std::vector<std::vector<double>> all_variables(run::Engine& engine) {
  std::vector<std::vector<double>> all;
  for (const Variable& v : engine.system().variables())
    all.push_back(engine.variable_as_doubles(v.name));
  return all;
}

// Flips the lowest bit of the exponent of a value of the state that a step begins from, on the device.
class BitFlip final : public run::StateSampler {
 public:
  BitFlip(run::Engine& engine, std::int64_t step) : engine_(engine), step_(step) {}
  bool wants(std::int64_t step) override { return step == step_; }
  void take() override {
    systems::System& system = engine_.system();
    memory::State& state = system.state();
    const std::size_t word = size_of(state.precision());
    const auto at = static_cast<std::size_t>(state.layout(0).at(0, 1, 0) + state.layout(0).first);
    char* const value =
        static_cast<char*>(state.start(system.current_register())) + (at + 3) * word;
    char bytes[8];
    copy_bytes(bytes, value, word, engine_.queue());
    synchronize(engine_.queue());
    bytes[word - 2] = static_cast<char>(bytes[word - 2] ^ 0x10);
    copy_bytes(value, bytes, word, engine_.queue());
    synchronize(engine_.queue());
  }
  void step_begun(std::int64_t, const exec::Clock*) override {}

 private:
  run::Engine& engine_;
  std::int64_t step_;
};

}  // namespace watersmeet::test

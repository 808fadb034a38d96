// Keys that a case leaves without effect are refused, or remarked on where the choice that idles
// them is the program's; what repeats a default, as a resolved case does, is neither.
#include <gtest/gtest.h>

#include "support/faults.hpp"

using namespace watersmeet;
using test::expect_fault;
using test::read_case;

namespace idle_keys_test {

namespace {
// Lines 1 to 6 of each.
const std::string gas = R"toml([case]
system = "isothermal"
[time]
end = 1
[grid]
cells = [16, 16, 16]
)toml";
const std::string liquid = R"toml([case]
system = "boussinesq"
[time]
end = 1
[grid]
cells = [16, 12, 8]
)toml";
const std::string viscous = "[physics]\nviscosity = 0.1\n";
const std::string foil = R"toml([case]
system = "aerodynamics"
[grid]
mesh = { kind = "naca4", cells = [32, 16], far = 20.0 }
[physics]
freestream = { mach = 0.63 }
)toml";

void expect_good(const std::string& text, std::size_t notes = 0) {
  std::unique_ptr<systems::System> system;
  const config::Input input = read_case(text, system);
  EXPECT_FALSE(input.has_faults()) << text << input.faults_text();
  EXPECT_EQ(input.notes().size(), notes) << text;
}
}  // namespace

TEST(IdleKeys, OfTheForcing) {
  const std::string forced = gas + "[forcing]\nkind = \"nonhelical\"\n";
  expect_fault(forced + "helicity = 0.5\n", {9, "forcing.helicity",
                                             "forcing.helicity has no effect: it is that of kind = "
                                             "\"helical\"",
                                             "remove it"});
  expect_good(forced + "helicity = 1.0\n");
  expect_good(gas + "[forcing]\nkind = \"helical\"\nhelicity = 0.5\n");
  const std::string listed = forced + "wavevectors = [[1, 0, 0]]\n";
  expect_fault(listed + "k_min = 1.0\n",
               {10, "forcing.k_min", "forcing.wavevectors takes the place of the shell", "remove"});
  expect_fault(listed + "k_max = 2.0\n",
               {10, "forcing.k_max", "forcing.wavevectors takes the place of the shell", "remove"});
  expect_good(listed + "k_min = 2.5\nk_max = 3.5\n");
}

TEST(IdleKeys, WavesOfTheForcingThatTheGridDoesNotResolve) {
  const std::string thin =
      "[case]\nsystem = \"isothermal\"\n[grid]\ncells = [48, 12, 1]\n[time]\nsteps = 1\n"
      "[forcing]\nkind = \"helical\"\n";
  const std::string key = "forcing.wavevectors";
  expect_fault(thin + "wavevectors = [[1, 0, 0], [0, -6, 0]]\n",
               {9, key, "(0, -6, 0) is not resolved by 12 points along y", "below 6"});
  expect_fault(thin + "wavevectors = [[24, 0, 0]]\n",
               {9, key, "(24, 0, 0) is not resolved by 48 points along x", "below 24"});
  expect_good(thin + "wavevectors = [[23, 0, 0], [0, -5, 0]]\n");
  expect_fault(thin + "wavevectors = []\n", {9, key, "this list holds no wave vector", "give one"});
  expect_fault(
      thin + "k_max = 24\n",
      {9, "forcing.k_max", "k_max = 24 is not resolved by 48 x 12 x 1 points", "below 24"});
  // Cases of 0.1.0 have such shells.
  expect_good(thin + "k_max = 20\n", 1);
  expect_good(thin + "k_max = 5\n");
}

TEST(IdleKeys, OfTheStep) {
  const std::string timed =
      "[case]\nsystem = \"isothermal\"\n[grid]\ncells = [16, 16, 16]\n[time]\nend = 1\n";
  expect_fault(timed + "cfl_hyper = 0.02\n",
               {7, "time.cfl_hyper", "there is no physics.hyperviscosity", "remove"});
  expect_good(timed + "cfl_hyper = 0.01\n");
  expect_good(timed + "cfl_hyper = 0.02\n[physics]\nhyperviscosity = 1e-9\n");
  expect_fault(timed + "cfl_viscous = 0.1\n[physics]\nviscosity = 0\n",
               {7, "time.cfl_viscous", "there is no viscosity", "remove"});
}

TEST(IdleKeys, OfADirectSolverOfThePressure) {
  const std::string numerics = "[numerics]\npressure = { solver = ";
  for (const std::string key : {"tol_rel = 1e-6", "tol_abs = 1e-6", "cycles_max = 7"}) {
    const std::string name = key.substr(0, key.find(' '));
    expect_fault(
        liquid + viscous + numerics + "\"fft\", " + key + " }\n",
        {10, "numerics.pressure." + name, "\"fft\" solves for the pressure directly", "remove"});
    expect_good(liquid + viscous + numerics + "\"mg\", " + key + " }\n");
    // Who leaves the choice to the program need not know it.
    expect_good(liquid + viscous + numerics + "\"auto\", " + key + " }\n", 1);
  }
  expect_good(liquid + viscous + numerics + "\"fft\", cycles_max = 20 }\n");
}

TEST(IdleKeys, OfOrdersThatHaveNoSuchOperator) {
  const std::string sixth = "sbp6 = \"compatible\"\n";
  expect_fault(foil + "[numerics]\norder = 3\n" + sixth,
               {9, "numerics.sbp6", "it is a choice of orders 5 and 6, and this case has order 3",
                "remove"});
  expect_good(foil + "[numerics]\norder = 5\n" + sixth);
  expect_good(foil + "[numerics]\norder = 3\nsbp6 = \"accurate\"\n");
}

TEST(IdleKeys, OfMagnetohydrodynamics) {
  const std::string plasma =
      "[case]\nsystem = \"mhd\"\n[grid]\ncells = [16, 16, 16]\n[time]\nend = 1\n";
  const std::string isothermal = "physics.energy is \"isothermal\"";
  for (const char* const line : {"gamma = 1.4", "heat_capacity = 2.0", "thermal_diffusivity = 0.1",
                                 "conductivity = 0.1", "hyperdiffusivity = 1e-9"}) {
    const std::string name =
        std::string("physics.") + std::string(line).substr(0, std::string(line).find(' '));
    expect_fault(plasma + "[physics]\n" + line + "\n", {8, name, isothermal, "remove"});
    expect_good(plasma + "[physics]\n" + line + "\nenergy = \"entropy\"\n");
  }
  const std::string flow = plasma +
                           "[physics]\nvelocity = [\"sin(z)\", \"0\", \"0\"]\ngauge = "
                           "\"resistive\"\n";
  expect_fault(plasma + "[physics]\nvelocity = [\"sin(z)\", \"0\", \"0\"]\ngauge = \"weyl\"\n",
               {9, "physics.gauge", "in a prescribed flow the Weyl gauge", "resistive"});
  const std::string prescribed = "physics.velocity prescribes the flow";
  for (const char* const line :
       {"energy = \"entropy\"", "sound_speed = 2.0", "viscosity = 0.1", "bulk_viscosity = 0.1",
        "hyperviscosity = 1e-9", "acceleration = [\"0\", \"0\", \"1\"]"}) {
    const std::string name =
        std::string("physics.") + std::string(line).substr(0, std::string(line).find(' '));
    expect_fault(flow + line + "\n", {10, name, prescribed, "remove"});
  }
  expect_fault(flow + "[forcing]\nkind = \"helical\"\n",
               {11, "forcing.kind", prescribed, "remove"});
  expect_fault(flow + "[[initial]]\nvelocity = [\"1\", \"0\", \"0\"]\n",
               {11, "initial[0].velocity", prescribed, "remove"});
  expect_fault(flow + "[[initial]]\ndensity = 2.0\n",
               {11, "initial[0].density", prescribed, "remove"});
  expect_fault(flow + "[numerics]\nupwind = [\"rho\", \"potential\"]\n",
               {11, "numerics.upwind", "only the potential is advected", "upwind = "});
  expect_good(flow +
              "resistivity = 0.1\nhyperresistivity = 1e-9\n[numerics]\nupwind = "
              "[\"potential\"]\n[[initial]]\npotential = [\"sin(y)\", \"0\", \"0\"]\n");
  expect_fault(plasma + "[[initial]]\nentropy = 0.5\n",
               {8, "initial[0].entropy", isothermal, "remove"});
  expect_good(plasma + "[physics]\nenergy = \"entropy\"\n[[initial]]\nentropy = 0.5\n");
  expect_fault(plasma + "[numerics]\nupwind = [\"rho\", \"entropy\"]\n",
               {8, "numerics.upwind", "there is no entropy", "remove"});
  expect_fault(
      plasma + "[physics]\nenergy = \"entropy\"\nsound_speed = 0\n",
      {9, "physics.sound_speed", "an ideal gas needs a sound speed above 0", "isothermal"});
}

}  // namespace idle_keys_test

// What is asked of the output and the system does not have is a fault of the case, at its place.
#include "run/case.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "support/temporary.hpp"
#include "systems/registry.hpp"

namespace watersmeet::run {
namespace {

const std::vector<systems::QuantityInfo> quantities = {{"rho", "density", "", "", 1},
                                                       {"pressure", "pressure", "", "", 1}};

// Faults that check_output() records for a system "tides" with these quantities.
std::string faults_of(const std::string& output, const Offers& offers,
                      const std::vector<std::string>& set = {}) {
  config::Input input = config::Input::from_text(
      "[case]\nsystem = \"isothermal\"\n[grid]\ncells = [8, 8, 8]\n[time]\nsteps = 1\n"
      "[output]\n" +
          output,
      "test.toml", set);
  input.validate(systems::schema_for("isothermal"));
  EXPECT_FALSE(input.has_faults()) << input.faults_text();  // the keys themselves are right
  check_output(input, "tides", quantities, offers);
  return input.has_faults() ? input.faults_text() : "";
}

TEST(CaseOutput, FieldsThatTheSystemCannotWriteAreNamedWithThoseItCan) {
  EXPECT_EQ(faults_of("fields = [\"pressure\", \"rho\"]\n", {}), "");
  const std::string text = faults_of("fields = [\"rho\", \"temperature\"]\n", {});
  EXPECT_NE(text.find("no field `temperature` to write"), std::string::npos) << text;
  EXPECT_NE(text.find("the fields of tides are rho, pressure"), std::string::npos) << text;
  EXPECT_NE(text.find("test.toml:8:"), std::string::npos) << text;
}

TEST(CaseOutput, AFieldThatIsNamedAgainIsToldOnce) {
  const std::string text = faults_of("fields = [\"rho\", \"pressure\", \"rho\", \"rho\"]\n", {});
  const std::string fault = "field `rho` is listed more than once";
  EXPECT_NE(text.find(fault), std::string::npos) << text;
  EXPECT_EQ(text.find(fault), text.rfind(fault)) << text;
  EXPECT_NE(text.find("test.toml:8:"), std::string::npos) << text;
}

TEST(CaseOutput, SpectraAndProfilesAreRefusedOfASystemThatHasNone) {
  const std::string fields = "fields = [\"rho\"]\n";
  EXPECT_EQ(faults_of(fields, {}), "");
  EXPECT_EQ(faults_of(fields + "spectra_every = 0.5\n", {.spectra = true}), "");
  EXPECT_EQ(faults_of(fields + "profiles_every = 0.5\n", {.profiles = true}), "");
  for (const std::string what : {"spectra", "profiles"}) {
    for (const char* const often : {"_every", "_every_steps"}) {
      const std::string text =
          faults_of(fields + what + often + " = 5\n",
                    {.spectra = what == "profiles", .profiles = what == "spectra"});
      EXPECT_NE(text.find("the system tides has no " + what), std::string::npos) << text;
      EXPECT_NE(text.find("test.toml:9:1"), std::string::npos) << text;
      EXPECT_NE(text.find("remove this key"), std::string::npos) << text;
    }
  }
  EXPECT_NE(faults_of(fields, {}, {"output.spectra_every=2"}).find("has no spectra"),
            std::string::npos);
}

TEST(CaseOutput, IsCheckedWhenACaseIsLoaded) {
  const std::string text = message_of(ErrorKind::user_input, [] {
    load_case_text(
        "[case]\nsystem = \"isothermal\"\n[grid]\ncells = [8, 8, 8]\n[time]\nsteps = 1\n"
        "[output]\nfields = [\"temperature\"]\n",
        "test", {});
  });
  EXPECT_NE(text.find("the fields of isothermal are rho, lnrho"), std::string::npos) << text;
}

}  // namespace
}  // namespace watersmeet::run

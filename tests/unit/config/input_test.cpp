#include "config/input.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "sample_system.hpp"

using namespace sample;

TEST(Input, ReadsEveryType) {
  const Input input = checked(right_case());
  ASSERT_FALSE(input.has_faults()) << input.faults_text();
  EXPECT_EQ(input.text("case.system"), "isothermal");
  EXPECT_EQ(input.integers3("grid.cells"), (Index3{64, 32, 16}));
  EXPECT_EQ(input.reals3("grid.lower"), (Real3{0, 0, 0}));
  const Real3 upper = input.reals3("grid.upper");
  EXPECT_DOUBLE_EQ(upper[0], 2 * M_PI);
  EXPECT_DOUBLE_EQ(upper[1], M_PI);  // length = 2*pi/k0, k0 = 2
  EXPECT_EQ(upper[2], 1.5);
  EXPECT_EQ(input.real("physics.viscosity"), 1e-2);
  EXPECT_DOUBLE_EQ(input.duration("time.end"), 3 * M_PI);
  EXPECT_EQ(input.integer("numerics.order"), 6);
  EXPECT_TRUE(input.boolean("output.overview"));
  EXPECT_EQ(input.texts("output.fields"), (std::vector<std::string>{"rho", "velocity"}));
  EXPECT_EQ(input.list_reals3("forcing.modes"), (std::vector<Real3>{{1, 0, 0}, {0, 2, -1.5}}));
  EXPECT_EQ(input.count("initial"), 2u);
  EXPECT_EQ(input.expression("initial[0].density"), "1 + 0.1*sin(k0*x)");
  EXPECT_EQ(input.expression("initial[1].density"), "2");
  EXPECT_EQ(input.expressions3("initial[1].velocity"),
            (std::array<std::string, 3>{"sin(y)", "0", "r"}));
  EXPECT_EQ(input.expressions3("initial[0].velocity"), (std::array<std::string, 3>{"0", "0", "0"}));
  EXPECT_EQ(input.constants().numbers.at("k0"), 2.0);
}

TEST(Input, TellsGivenFromDefault) {
  const Input input = checked(right_case(), {"time.steps=100"});
  EXPECT_TRUE(input.is_set("time.cfl"));
  EXPECT_FALSE(input.is_set("physics.sound_speed"));
  EXPECT_TRUE(input.is_good("physics.sound_speed"));
  EXPECT_FALSE(input.is_set("time.dt"));
  EXPECT_FALSE(input.is_good("time.dt"));
  EXPECT_EQ(input.origin("time.steps"), "--set");
  EXPECT_EQ(input.origin("grid.cells"), "line 10");
  EXPECT_EQ(input.origin("grid.lower"), "default");
  EXPECT_EQ(input.origin("time.dt"), "not given");
  EXPECT_TRUE(input.is_set("initial[1].velocity"));
  EXPECT_FALSE(input.is_set("initial[0].velocity"));
}

TEST(Input, MisuseByTheProgramIsAnInternalError) {
  const Input input = checked(right_case());
  for (const char* path : {"time.dt", "time.nothing", "grid.cells", "initial[7].density"}) {
    try {
      input.real(path);
      FAIL() << path;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::internal);
    }
  }
}

TEST(Input, OptionsOverrideTheFile) {
  const Input input =
      checked(right_case(), {"time.cfl=0.25", "grid.cells=[8,9,10]", "forcing.kind=none",
                             "physics.viscosity=2*pi/k0", "initial[1].density=1+y", "case.name=7",
                             "output.fields=[rho, velocity]", "physics.scales.mass=3"});
  ASSERT_FALSE(input.has_faults()) << input.faults_text();
  EXPECT_EQ(input.real("time.cfl"), 0.25);
  EXPECT_EQ(input.integers3("grid.cells"), (Index3{8, 9, 10}));
  EXPECT_EQ(input.text("forcing.kind"), "none");
  EXPECT_DOUBLE_EQ(input.real("physics.viscosity"), M_PI);
  EXPECT_EQ(input.expression("initial[1].density"), "1+y");
  EXPECT_EQ(input.text("case.name"), "7");
  EXPECT_EQ(input.texts("output.fields"), (std::vector<std::string>{"rho", "velocity"}));
  EXPECT_EQ(input.real("physics.scales.mass"), 3.0);
}

TEST(Input, DurationsHaveUnits) {
  const std::string si = std::string("[case]\nsystem = \"isothermal\"\nunits = \"SI\"\n") +
                         "[grid]\ncells = [4, 4, 4]\n[time]\nend = ";
  const auto end = [&](const std::string& text) {
    const Input input = checked(si + text + "\n");
    EXPECT_FALSE(input.has_faults()) << input.faults_text();
    return input.duration("time.end");
  };
  EXPECT_EQ(end("\"15 d\""), 15 * 86400.0);
  EXPECT_EQ(end("\"1.5h\""), 5400.0);
  EXPECT_EQ(end("\"90 min\""), 5400.0);
  EXPECT_EQ(end("\"1e3 s\""), 1000.0);
  EXPECT_EQ(end("12"), 12.0);
  // The wall clock is in seconds whatever the units of the case are.
  EXPECT_EQ(checked(right_case(), {"time.wall=4h"}).duration("time.wall"), 14400.0);
  EXPECT_EQ(checked(right_case(), {"time.wall=500 ms"}).duration("time.wall"), 0.5);
  EXPECT_EQ(end("\"3 ms\""), 0.003);
  EXPECT_EQ(end("\"7us\""), 7e-6);
  EXPECT_EQ(end("\"7 \u00b5s\""), 7e-6);
  EXPECT_EQ(end("\"7 \u03bcs\""), 7e-6);
  EXPECT_EQ(end("\"40 ns\""), 40e-9);
}

TEST(Input, LengthsAndTimesThatAreNoDurationsHaveUnitsToo) {
  const std::string si = std::string("[case]\nsystem = \"isothermal\"\nunits = \"SI\"\n") +
                         "[grid]\ncells = [4, 4, 4]\n[time]\nend = 1\n";
  const Input input = checked(si, {"grid.upper=[\"3 mm\", \"20 km\", \"0.5 um\"]", "time.dt=3 ms"});
  ASSERT_FALSE(input.has_faults()) << input.faults_text();
  EXPECT_EQ(input.reals3("grid.upper"), (std::array<double, 3>{0.003, 20000.0, 0.5e-6}));
  EXPECT_EQ(input.real("time.dt"), 0.003);
  const auto first_fault = [&](const std::string& option) {
    const Input wrong = checked(si, {option});
    return wrong.has_faults() ? wrong.faults()[0].message : "";
  };
  EXPECT_EQ(first_fault("time.dt=3 mm"),
            "time.dt: `mm` is not a unit of time; must be ns, us, ms, s, min, h or d");
  EXPECT_EQ(first_fault("grid.upper=[\"3 ms\", 1, 1]"),
            "grid.upper: `ms` is not a unit of length; must be nm, um, mm, cm, m or km");
  EXPECT_EQ(first_fault("time.dt=-3 ms"), "time.dt: \"-3 ms\" = -0.003; must be greater than 0");
  EXPECT_EQ(first_fault("grid.upper=[\"3 in\", 1, 1]"),
            "grid.upper: `in` is not a unit of length; must be nm, um, mm, cm, m or km");
  // What is a name of the case is no unit.
  EXPECT_EQ(first_fault("time.dt=3 pi"), "a `*` is missing");
  const Input named = checked(si + "[constants]\nms = 2\n", {"time.dt=3 ms"});
  ASSERT_TRUE(named.has_faults());
  EXPECT_EQ(named.faults()[0].suggestion, "did you mean `3*ms`?");
  EXPECT_EQ(first_fault("time.dt=3 ms*foo"), "a `*` is missing");
  const Input code = checked(right_case(), {"time.dt=3 ms"});
  ASSERT_TRUE(code.has_faults());
  EXPECT_EQ(code.faults()[0].message,
            "time.dt: a time in ms needs units = \"SI\"; this case counts time in code units");
}

// To make a constant of the unit, as for lengths, would let 5 degrees be 0.09 of a key in degrees.
TEST(Input, KeysOfOtherDimensionsTakeNoUnits) {
  const auto first = [](const std::string& text, const std::string& option) {
    const Input wrong = checked(text, {option});
    return wrong.has_faults() ? wrong.faults()[0].message + "; " + wrong.faults()[0].suggestion
                              : "";
  };
  for (const std::string unit : {"m2/s", "m^2/s", "Pa s", "W/(m K)", "km", "deg", "g"}) {
    EXPECT_EQ(first(right_case(), "physics.viscosity=\"1.5e-5 " + unit + "\""),
              "physics.viscosity: `" + unit +
                  "` is a unit, and numbers of this key have none behind them; write the number "
                  "alone, in length^2/time of code units");
  }
  for (const std::string text : {"3 pi", "3 x", "3 m/foo", "3 m+"}) {
    EXPECT_EQ(first(right_case(), "physics.viscosity=\"" + text + "\"").substr(0, 6), "a `*` ")
        << text;
  }
}

TEST(Input, WholeNumbersMayBeWrittenWithAnExponent) {
  EXPECT_EQ(checked(right_case(), {"time.steps=1e6"}).integer("time.steps"), 1000000);
  EXPECT_TRUE(checked(right_case(), {"time.steps=1.5"}).has_faults());
  EXPECT_TRUE(checked(right_case(), {"time.steps=1e300"}).has_faults());
}

TEST(Input, WholeNumbersMayBeExpressionsWhoseValueIsWhole) {
  const Input input = checked(right_case(), {"grid.cells=[\"2*4\", 8, \"sqrt(64)\"]",
                                             "time.steps=\"3 + 1e6\"", "numerics.order=\"2*3\""});
  ASSERT_FALSE(input.has_faults()) << input.faults_text();
  EXPECT_EQ(input.integers3("grid.cells"), (Index3{8, 8, 8}));
  EXPECT_EQ(input.integer("time.steps"), 1000003);
  EXPECT_EQ(input.integer("numerics.order"), 6);
  const Input again = checked(input.resolved_toml());
  ASSERT_FALSE(again.has_faults()) << input.resolved_toml();
  EXPECT_EQ(again.integers3("grid.cells"), (Index3{8, 8, 8}));
  EXPECT_NE(input.resolved_toml().find("cells = [8, 8, 8]"), std::string::npos);

  const Input wrong = checked(right_case(), {"grid.cells=[\"7/2\", \"2 - 3\", \"1e17\"]",
                                             "time.steps=\"1/0\"", "numerics.order=\"2 +\""});
  const std::string text = wrong.faults_text();
  EXPECT_EQ(wrong.faults().size(), 5u) << text;
  for (const char* const part :
       {"grid.cells: \"7/2\" = 3.5 in x; must be a whole number, 1 or more",
        "grid.cells: \"2 - 3\" = -1 in y; must be 1 or more",
        "grid.cells: \"1e17\" = 1e+17 in z; must be a whole number",
        "time.steps: \"1/0\" = inf; must be a whole number", "numerics.order"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

TEST(Input, ListsOfNumbersHaveAnyLengthAndKeepTheirOrder) {
  const Input input = checked(right_case(), {"device.weights=[1, 2.5, \"3/4\"]"});
  ASSERT_FALSE(input.has_faults()) << input.faults_text();
  EXPECT_EQ(input.reals("device.weights"), (std::vector<double>{1.0, 2.5, 0.75}));
  const std::string resolved = input.resolved_toml();
  EXPECT_NE(resolved.find("weights = [1, 2.5, \"3/4\"]"), std::string::npos) << resolved;
  EXPECT_NE(resolved.find("; = [1.0, 2.5, 0.75]"), std::string::npos) << resolved;
  EXPECT_EQ(checked(resolved).reals("device.weights"), input.reals("device.weights"));
  EXPECT_TRUE(checked(right_case(), {"device.weights=[]"}).reals("device.weights").empty());

  const Input wrong = checked(right_case(), {"device.weights=[1, -2, 0, \"a\", true]"});
  const std::vector<Fault> faults = wrong.faults();
  ASSERT_EQ(faults.size(), 4u) << wrong.faults_text();
  EXPECT_NE(faults[0].message.find("-2 in entry 2; must be greater than 0"), std::string::npos);
  EXPECT_NE(faults[3].message.find("in entry 5; must be a number"), std::string::npos);
  EXPECT_TRUE(wrong.reals("device.weights").empty());
  const Input single = checked(right_case(), {"device.weights=2"});
  ASSERT_EQ(single.faults().size(), 1u);
  EXPECT_EQ(single.faults()[0].suggestion, "did you mean [2]?");
  EXPECT_EQ(single.faults()[0].allowed, "a list of numbers, each greater than 0");
}

TEST(Input, OptionsNameEntriesOfListsByTheirNumbers) {
  const Input input = checked(right_case(), {"initial[0].density=3", "initial.1.density=4",
                                             "initial.1.velocity=[1, 2, 3]"});
  ASSERT_FALSE(input.has_faults()) << input.faults_text();
  EXPECT_EQ(input.expression("initial[0].density"), "3");
  EXPECT_EQ(input.expression("initial[1].density"), "4");
  EXPECT_EQ(input.expressions3("initial[1].velocity")[2], "3");
  const auto fault_of = [](const std::string& option) {
    const Input wrong = checked(right_case(), {option});
    const std::vector<Fault> faults = wrong.faults();
    return faults.size() == 1 ? faults[0].message + "; " + faults[0].suggestion
                              : wrong.faults_text();
  };
  for (const char* entry : {"initial[2]", "initial.2"}) {
    EXPECT_EQ(fault_of(std::string(entry) + ".density=1"),
              "initial[2]: the case has 2 [[initial]] entries; numbers run from 0 to 1");
  }
  EXPECT_EQ(fault_of("initial.density=1"),
            "`initial` is a list; an entry is named by its number, the first one initial[0]");
  EXPECT_NE(fault_of("initial.0.densty=1").find("did you mean `density`?"), std::string::npos);
  // A number is no name of a section.
  EXPECT_NE(fault_of("time.0.cfl=1").find("no key `0` in [time]"), std::string::npos);
}

// The text of such an option is all that stands behind the `=`: no escapes are in it.
TEST(Input, AnOptionMayHaveAQuoteThatIsNotClosed) {
  for (const std::string text : {"\"\\Ut", "\"1 + x\\", "'x", "\"\"\"\\u00"}) {
    const Input wrong = checked(right_case(), {"time.steps=" + text});
    ASSERT_TRUE(wrong.has_faults()) << text;
    EXPECT_NE(wrong.faults_text().find("time.steps=" + text), std::string::npos)
        << wrong.faults_text();
  }
}

TEST(Input, ANumberInPlaceOfAListHasAHint) {
  const auto hint = [](const std::string& assignment) {
    const Input input = checked(right_case(), {assignment});
    const std::vector<Fault> faults = input.faults();
    return faults.size() == 1 ? faults[0].suggestion : input.faults_text();
  };
  EXPECT_EQ(hint("grid.cells=64"), "did you mean [64, 64, 64]?");
  EXPECT_EQ(hint("grid.upper=2"), "did you mean [2, 2, 2]?");
  // Equal components are hardly meant.
  EXPECT_EQ(hint("initial[0].velocity=1"), "write all three values, as in [1, 0, 0]");
  EXPECT_EQ(hint("initial[0].velocity=\"sin(x)\""),
            "write all three values, as in [\"sin(x)\", 0, 0]");
  EXPECT_EQ(hint("forcing.modes=[0, 1, 2]"), "did you mean [[0, 1, 2]]?");
  EXPECT_EQ(hint("forcing.modes=3"), "a list of one triple is written [[1, 0, 0]]");
}

TEST(Input, KeysOfSeveralRanksHaveTheirDefaults) {
  const Input input = checked(right_case());
  EXPECT_FALSE(input.is_set("device.ranks_along"));
  EXPECT_FALSE(input.is_good("device.weights"));
  EXPECT_EQ(input.text("device.transport"), "auto");
  EXPECT_EQ(input.text("device.overlap"), "auto");
  EXPECT_FALSE(input.boolean("device.share"));
  EXPECT_EQ(input.integer("device.cpu_ranks"), 0);
  EXPECT_EQ(input.duration("device.peer_timeout"), 1800.0);
  EXPECT_EQ(checked(right_case(), {"device.peer_timeout=10 s"}).duration("device.peer_timeout"),
            10.0);
  EXPECT_TRUE(checked(right_case(), {"device.ranks_along=[2, 0, 1]"}).has_faults());
  EXPECT_TRUE(checked(right_case(), {"device.transport=nvlink"}).has_faults());
}

TEST(Input, FaultyValuesReadAsStandIns) {
  const Input input = checked(right_case(), {"time.cfl=-1", "grid.cells=[1,2]", "time.end=abc",
                                             "initial[0].velocity=3", "forcing.modes=1"});
  EXPECT_EQ(input.faults().size(), 5u) << input.faults_text();
  EXPECT_FALSE(input.is_good("time.cfl"));
  EXPECT_EQ(input.real("time.cfl"), 0.9);
  EXPECT_EQ(input.integers3("grid.cells"), (Index3{1, 1, 1}));
  EXPECT_EQ(input.duration("time.end"), 1.0);
  EXPECT_EQ(input.expressions3("initial[0].velocity")[2], "0");
  EXPECT_TRUE(input.list_reals3("forcing.modes").empty());
}

TEST(Input, OfAValueThatCannotBeReadOnlyConflictsAreToldBesides) {
  Input input = Input::from_text(
      "[case]\nsystem = \"isothermal\"\n[grid]\ncells = [8, 8]\nupper = [1, \"q\", 1]\n"
      "[time]\nend = 1\ncfl = 0.4\n",
      "case.toml");
  input.validate(sample::schema());
  ASSERT_EQ(input.faults().size(), 2u);
  input.fault(FaultKind::range, "grid.cells", "a single cell");
  input.fault(FaultKind::bad_value, "grid.upper[2]", "too short");
  EXPECT_EQ(input.faults().size(), 2u);
  input.fault(FaultKind::conflict, "grid.cells", "beside another key");
  input.fault(FaultKind::range, "time.cfl", "too bold");
  EXPECT_EQ(input.faults().size(), 4u);
}

TEST(Input, TheSidesOfABoxStayInTheRangeOfNumbers) {
  const auto faults_of = [](const std::string& upper) {
    Input input = Input::from_text(
        "[case]\nsystem = \"isothermal\"\n[grid]\ncells = [8, 8, 8]\nupper = " + upper +
            "\n[time]\nend = 1\n",
        "case.toml");
    input.validate(sample::schema());
    EXPECT_EQ(input.is_good("grid.upper"), input.faults().empty());
    return input.faults();
  };
  EXPECT_TRUE(faults_of("[1e90, 1e-90, 1]").empty());
  for (const std::string upper : {"[1, 1e300, 1e300]", "[1, 1e-300, 1]"}) {
    const std::vector<Fault> faults = faults_of(upper);
    ASSERT_EQ(faults.size(), 1u);
    EXPECT_EQ(faults[0].column, 13);
    EXPECT_NE(faults[0].message.find("long in y"), std::string::npos) << faults[0].message;
  }
}

TEST(Input, SystemsAddTheirOwnFaultsInFileOrder) {
  Input input = checked(right_case(), {}, "rb.toml");
  input.fault(FaultKind::conflict, "time.cfl", "too bold", "try 0.3");
  input.fault(FaultKind::range, "grid.upper[2]", "too short");
  input.fault(FaultKind::bad_value, "physics.scales.mass", "not with this");
  const std::vector<Fault> faults = input.faults();
  ASSERT_EQ(faults.size(), 3u);
  EXPECT_EQ(faults[0].line, 11);
  EXPECT_EQ(faults[0].column, 28);  // the third item
  EXPECT_EQ(faults[0].width, 3);
  EXPECT_EQ(faults[1].line, 13);  // [physics]: the key itself is not given
  EXPECT_EQ(faults[2].line, 22);
  EXPECT_EQ(faults[2].column, 1);
  EXPECT_EQ(faults[2].found, "0.5");
}

TEST(Input, JsonHoldsTheSameFaults) {
  const Input input = checked(right_case(), {"time.cfl=-1"}, "rb.toml");
  const nlohmann::json list = nlohmann::json::parse(input.faults_json());
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0]["file"], "--set time.cfl=-1");
  EXPECT_EQ(list[0]["line"], 0);
  EXPECT_EQ(list[0]["column"], 10);
  EXPECT_EQ(list[0]["key"], "time.cfl");
  EXPECT_EQ(list[0]["found"], "-1");
  EXPECT_EQ(list[0]["allowed"], "a number, greater than 0");
  EXPECT_EQ(list[0]["suggestion"], "did you mean 1?");
  EXPECT_EQ(list[0]["kind"], "range");
}

TEST(Input, MistypedSystemIsGuessedButRefused) {
  Input input = Input::from_text("[case]\nsystem = \"isotermal\"\n", "a.toml");
  EXPECT_EQ(input.system(systems()), "isothermal");
  EXPECT_TRUE(input.has_faults());
  Input nothing = Input::from_text("[case]\nsystem = \"weather\"\n", "a.toml");
  EXPECT_EQ(nothing.system(systems()), "");
  EXPECT_TRUE(nothing.has_faults());
}

// The resolved case is a case: it reads back without faults and resolves to the same values.
TEST(Input, ResolvedCaseGivesTheSameRun) {
  const Input input = checked(right_case(), {"case.name=a \"b\" \\", "time.steps=1e3"});
  ASSERT_FALSE(input.has_faults()) << input.faults_text();
  const std::string resolved = input.resolved_toml();
  const Input again = checked(resolved);
  ASSERT_FALSE(again.has_faults()) << resolved << again.faults_text();
  const Schema all = schema();
  int compared = 0;
  for (const Key& key : all.keys()) {
    if (key.path.find("[]") != std::string::npos || leaf_of(key.path) == "*") continue;
    EXPECT_EQ(input.is_good(key.path), again.is_good(key.path)) << key.path;
    if (!input.is_good(key.path)) continue;
    ++compared;
    switch (key.type) {
      case KeyType::real:
        EXPECT_EQ(input.real(key.path), again.real(key.path));
        break;
      case KeyType::reals3:
        EXPECT_EQ(input.reals3(key.path), again.reals3(key.path));
        break;
      case KeyType::duration:
        EXPECT_EQ(input.duration(key.path), again.duration(key.path));
        break;
      case KeyType::integer:
        EXPECT_EQ(input.integer(key.path), again.integer(key.path));
        break;
      case KeyType::text:
      case KeyType::choice:
        EXPECT_EQ(input.text(key.path), again.text(key.path));
        break;
      default:
        break;
    }
  }
  EXPECT_GT(compared, 20);
  EXPECT_EQ(again.count("initial"), 2u);
  EXPECT_EQ(again.expressions3("initial[1].velocity"), input.expressions3("initial[1].velocity"));
  EXPECT_EQ(again.constants().numbers, input.constants().numbers);
  EXPECT_NE(resolved.find("cfl = 0.5                                # case.toml:22"),
            std::string::npos)
      << resolved;
  EXPECT_NE(resolved.find("# --set"), std::string::npos);
  EXPECT_NE(resolved.find("# default"), std::string::npos);
  EXPECT_NE(resolved.find("# dt: unset"), std::string::npos);
  EXPECT_EQ(input.original_text(), right_case());
}

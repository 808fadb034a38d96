// Words that stand for tables, tables with names that the case chooses, and tables and lists inside
// entries and sections.

#include <gtest/gtest.h>

#include <algorithm>

#include "core/error.hpp"
#include "sample_system.hpp"

using namespace sample;

namespace tables_test {

namespace {

Input read(const std::string& text, const std::vector<std::string>& options = {}) {
  return checked(tables_head() + text, options);
}

Input good(const std::string& text, const std::vector<std::string>& options = {}) {
  Input input = read(text, options);
  EXPECT_FALSE(input.has_faults()) << text << input.faults_text();
  return input;
}

// The only fault of a text.
Fault fault_of(const std::string& text, const std::vector<std::string>& options = {}) {
  const Input input = read(text, options);
  EXPECT_EQ(input.faults().size(), 1u) << text << input.faults_text();
  return input.has_faults() ? input.faults()[0] : Fault{};
}

}  // namespace

// ---- words for tables ------------------------------------------------------------------------

TEST(WordForTable, MeansItsKind) {
  const std::vector<std::string> spellings = {
      "[boundary]\nx_lower = \"inflow\"\n", "[boundary]\nx_lower = { kind = \"inflow\" }\n",
      "[boundary.x_lower]\nkind = \"inflow\"\n", "[boundary]\nx_lower.kind = \"inflow\"\n"};
  for (const std::string& text : spellings) {
    const Input input = good(text);
    EXPECT_EQ(input.text("boundary.x_lower.kind"), "inflow") << text;
    EXPECT_TRUE(input.is_set("boundary.x_lower.kind")) << text;
    EXPECT_TRUE(input.is_set("boundary.x_lower")) << text;
    EXPECT_FALSE(input.is_set("boundary.x_lower.pressure")) << text;
    EXPECT_FALSE(input.is_set("boundary.x_upper")) << text;
    EXPECT_EQ(input.text("boundary.x_upper.kind"), "absorbing") << text;
  }
}

TEST(WordForTable, StandsInEntriesUnderChosenNamesAndForSections) {
  const Input input = good(tables_body());
  EXPECT_EQ(input.text("initial[2].shape.kind"), "box");
  EXPECT_EQ(input.real("initial[2].shape.smoothing"), 1.0);
  EXPECT_EQ(input.text("physics.walls.steel.kind"), "rigid");
  EXPECT_EQ(input.real("physics.walls.steel.modulus"), 2.5);
  EXPECT_EQ(input.text("boundary.patch[0].profile.kind"), "power");
  EXPECT_EQ(input.real("boundary.patch[0].profile.exponent"), 7.0);
  EXPECT_EQ(input.origin("boundary.x_lower"), "line 18");
  EXPECT_EQ(input.origin("boundary.x_lower.kind"), "line 18");
  EXPECT_EQ(input.origin("boundary.z_lower"), "not given");
  const Input section = Input(checked("device = \"cpu\"\n" + std::string(right_case())));
  ASSERT_FALSE(section.has_faults()) << section.faults_text();
  EXPECT_EQ(section.text("device.kind"), "cpu");
}

TEST(WordForTable, PlainChoicesStayPlain) {
  const Input input = good("[boundary]\ny = \"periodic\"\n[physics]\nmodel = \"compressing\"\n");
  EXPECT_EQ(input.text("boundary.y"), "periodic");
  EXPECT_EQ(input.text("physics.model"), "compressing");
  const Fault fault = fault_of("[boundary]\ny = { kind = \"periodic\" }\n");
  EXPECT_EQ(fault.kind, FaultKind::bad_type);
  EXPECT_EQ(fault.key, "boundary.y");
  // `kind` of an entry makes no word of the list, nor of one entry.
  EXPECT_EQ(fault_of("[boundary]\npatch = \"inflow\"\n").message,
            "`boundary.patch` is a section, not a key");
  EXPECT_EQ(fault_of("[boundary]\npatch = [\"inflow\"]\n").suggestion,
            "did you mean [[boundary.patch]]?");
}

TEST(WordForTable, FaultsAreThoseOfTheWord) {
  const Fault near = fault_of("[boundary]\nx_lower = \"inflw\"\n");
  EXPECT_EQ(near.kind, FaultKind::bad_value);
  EXPECT_EQ(near.key, "boundary.x_lower");
  EXPECT_EQ(near.line, 8);
  EXPECT_EQ(near.column, 11);
  EXPECT_EQ(near.width, 7);
  EXPECT_EQ(near.suggestion, "did you mean \"inflow\"?");
  EXPECT_EQ(near.allowed, "one of \"absorbing\", \"inflow\", \"reflecting\", or a table");
  const Fault number = fault_of("[boundary]\nx_lower = 3\n");
  EXPECT_EQ(number.kind, FaultKind::bad_type);
  EXPECT_EQ(number.found, "3");
  // In the long form the path is the long one.
  const Fault inside = fault_of("[boundary]\nx_lower = { kind = \"inflw\" }\n");
  EXPECT_EQ(inside.key, "boundary.x_lower.kind");
  EXPECT_EQ(inside.allowed, "one of \"absorbing\", \"inflow\", \"reflecting\"");
  const Fault twice = fault_of("[[boundary.x_lower]]\nkind = \"inflow\"\n");
  EXPECT_EQ(twice.suggestion, "did you mean [boundary.x_lower]?");
  const Fault name = fault_of("[boundary]\nx_lowr = \"inflow\"\n");
  EXPECT_EQ(name.suggestion, "did you mean `x_lower`?");
}

TEST(WordForTable, SystemsPointAtTheWord) {
  Input input = good("[boundary]\nx_lower = \"inflow\"\n");
  input.fault(FaultKind::conflict, "boundary.x_lower.kind", "not with this");
  input.fault(FaultKind::missing_key, "boundary.x_lower.pressure", "must be given");
  ASSERT_EQ(input.faults().size(), 2u);
  EXPECT_EQ(input.faults()[0].column, 1);
  EXPECT_EQ(input.faults()[1].column, 11);
  EXPECT_EQ(input.faults()[1].line, 8);
}

TEST(WordForTable, OptionsSetTheWordAndKeepTheRest) {
  const std::string table = "[boundary]\nx_lower = { kind = \"absorbing\", pressure = 7 }\n";
  const std::string word = "[boundary]\nx_lower = \"absorbing\"\n";
  for (const std::string& text : {table, std::string("[boundary.x_lower]\npressure = 7\n")}) {
    const Input input = good(text, {"boundary.x_lower=inflow"});
    EXPECT_EQ(input.text("boundary.x_lower.kind"), "inflow");
    EXPECT_EQ(input.expression("boundary.x_lower.pressure"), "7");
    EXPECT_EQ(input.origin("boundary.x_lower.kind"), "--set");
  }
  for (const std::string& text : {std::string(), word}) {
    const Input input = good(text, {"boundary.x_lower.pressure=5", "boundary.x_lower=reflecting"});
    EXPECT_EQ(input.text("boundary.x_lower.kind"), "reflecting");
    EXPECT_EQ(input.expression("boundary.x_lower.pressure"), "5");
  }
  const Input replaced = good(table, {"boundary.x_lower={ kind = \"inflow\" }"});
  EXPECT_FALSE(replaced.is_set("boundary.x_lower.pressure"));
  const Input kept = good(word, {"boundary.x_lower.pressure=5"});
  EXPECT_EQ(kept.text("boundary.x_lower.kind"), "absorbing");
  EXPECT_EQ(good("", {"boundary={ x_lower = \"inflow\" }"}).text("boundary.x_lower.kind"),
            "inflow");
  const Input entry = good("[[initial]]\n", {"initial[0].shape=box", "initial[0].shape.radius=3"});
  EXPECT_EQ(entry.text("initial[0].shape.kind"), "box");
  EXPECT_EQ(entry.real("initial[0].shape.radius"), 3.0);

  const Fault fault = fault_of("", {"boundary.x_lower=inflw"});
  EXPECT_EQ(fault.column, 18);
  EXPECT_EQ(fault.suggestion, "did you mean \"inflow\"?");
  EXPECT_EQ(fault_of("", {"case.system.kind=1"}).message, "`case.system` is not a section");
  EXPECT_EQ(fault_of("", {"boundary.patch[0].kind=inflow"}).message,
            "boundary.patch[0]: the case has no [[boundary.patch]] entries");
}

// ---- tables of chosen names ------------------------------------------------------------------

TEST(ChosenNames, ComeInTheOrderOfTheFile) {
  const Input input = good(tables_body(), {"physics.fluids.argon.gamma=\"5/3\""});
  EXPECT_EQ(input.names("physics.fluids"), (std::vector<std::string>{"water", "air", "argon"}));
  EXPECT_EQ(input.names("physics.walls"), (std::vector<std::string>{"steel", "skin"}));
  EXPECT_EQ(input.names("numerics.scales"), (std::vector<std::string>{"speed", "Pi"}));
  EXPECT_EQ(input.names("constants"), std::vector<std::string>{"t0"});
  EXPECT_TRUE(input.names("physics").empty());
  EXPECT_TRUE(input.names("physics.nothing").empty());
  EXPECT_TRUE(good("").names("physics.fluids").empty());
  EXPECT_EQ(input.real("physics.fluids.water.gamma"), 6.12);
  EXPECT_EQ(input.real("physics.fluids.argon.gamma"), 5.0 / 3.0);
  EXPECT_EQ(input.real("numerics.scales.Pi"), 4e8);
}

TEST(ChosenNames, EachHasItsDefaults) {
  const Input input = good(tables_body());
  EXPECT_EQ(input.real("physics.fluids.water.p_c"), 3.43e8);
  EXPECT_EQ(input.real("physics.fluids.air.p_c"), 0.0);
  EXPECT_FALSE(input.is_set("physics.fluids.air.p_c"));
  EXPECT_TRUE(input.is_set("physics.fluids.air"));
  EXPECT_FALSE(input.is_good("physics.fluids.water.density"));
  // A table inside such a table has its defaults only where it is given.
  EXPECT_EQ(input.real("physics.fluids.air.viscous.bulk"), 0.0);
  EXPECT_FALSE(input.is_good("physics.fluids.water.viscous.bulk"));
  EXPECT_FALSE(input.is_set("physics.fluids.oil"));
}

TEST(ChosenNames, FaultsNameTheTable) {
  const Fault missing = fault_of("[physics.fluids]\nwater = { p_c = 1 }\nair.gamma = 1.4\n");
  EXPECT_EQ(missing.kind, FaultKind::missing_key);
  EXPECT_EQ(missing.key, "physics.fluids.water.gamma");
  EXPECT_EQ(missing.message, "physics.fluids.water.gamma must be given: a number, greater than 1");
  EXPECT_EQ(missing.suggestion, "add `gamma = ...` to this table");
  EXPECT_EQ(missing.line, 8);
  EXPECT_EQ(missing.column, 9);
  const Fault section = fault_of("[physics.fluids.water]\np_c = 1\n");
  EXPECT_EQ(section.suggestion, "add `gamma = ...` to this section");
  EXPECT_EQ(section.line, 7);

  const Fault unknown = fault_of("[physics.fluids]\nwater = { gamma = 2, gama = 3 }\n");
  EXPECT_EQ(unknown.suggestion, "did you mean `gamma`?");
  EXPECT_EQ(unknown.message, "no key `gama` in [physics.fluids.water]");
  EXPECT_EQ(unknown.allowed, "density, gamma, p_c, viscous");
  const Fault range = fault_of("[physics.fluids]\nwater = { gamma = 0.5 }\n");
  EXPECT_EQ(range.message, "physics.fluids.water.gamma: 0.5; must be greater than 1");
  const Fault no_table = fault_of("[physics.fluids]\nwater = 3\n");
  EXPECT_EQ(no_table.message, "`physics.fluids.water` is a section, not a key");
  EXPECT_EQ(no_table.suggestion, "did you mean [physics.fluids.water]?");
  EXPECT_EQ(fault_of("[[physics.fluids.water]]\ngamma = 2\n").suggestion,
            "did you mean [physics.fluids.water]?");
  EXPECT_EQ(fault_of("[physics]\nfluids = 3\n").suggestion, "did you mean [physics.fluids]?");
  EXPECT_EQ(fault_of("[physics.walls]\nsteel = \"rigit\"\n").suggestion, "did you mean \"rigid\"?");
}

TEST(ChosenNames, AreIdentifiers) {
  for (const char* name : {"\"my fluid\"", "\"a.b\"", "a-b", "2nd", "\"\"", "\"*\"", "\"x[0]\""}) {
    for (const char* value : {" = { gamma = 2 }\n", " = 1\n"}) {
      const Fault fault = fault_of(std::string("[physics.fluids]\n") + name + value);
      EXPECT_EQ(fault.kind, FaultKind::bad_value) << name;
      EXPECT_NE(fault.message.find("is not a name; use letters, digits and _"), std::string::npos);
      EXPECT_EQ(fault.column, 1) << name;
    }
  }
  EXPECT_EQ(fault_of("[numerics.scales]\n\"a b\" = 1\n").kind, FaultKind::bad_value);
}

// ---- tables inside entries, lists below sections ---------------------------------------------

TEST(TablesInEntries, HaveDefaultsOnlyWhereGiven) {
  const Input input = good(tables_body());
  EXPECT_EQ(input.count("initial"), 3u);
  EXPECT_FALSE(input.is_set("initial[0].shape"));
  EXPECT_FALSE(input.is_good("initial[0].shape.smoothing"));
  EXPECT_THROW(input.real("initial[0].shape.smoothing"), Error);
  EXPECT_TRUE(input.is_set("initial[1].shape"));
  EXPECT_EQ(input.real("initial[1].shape.smoothing"), 1.0);
  EXPECT_FALSE(input.is_set("initial[1].shape.smoothing"));
  EXPECT_EQ(input.reals3("initial[1].shape.centre"), (Real3{0, 1, 2}));
  EXPECT_FALSE(input.is_set("initial[3].shape"));
  EXPECT_FALSE(input.is_set("boundary.patch[1].profile"));
  EXPECT_FALSE(input.is_good("boundary.patch[1].profile.exponent"));
  // A table that is no part of an entry has its defaults always.
  EXPECT_EQ(good("").real("physics.scales.density"), 1.0);
}

TEST(TablesInEntries, ListsStandBelowSectionsAndEntries) {
  const Input input = good(tables_body());
  EXPECT_EQ(input.count("boundary.patch"), 2u);
  EXPECT_EQ(input.text("boundary.patch[0].kind"), "inflow");
  EXPECT_EQ(input.text("boundary.patch[1].kind"), "absorbing");
  EXPECT_EQ(input.count("initial[0].holes"), 2u);
  EXPECT_EQ(input.count("initial[1].holes"), 0u);
  EXPECT_EQ(input.real("initial[0].holes[1].radius"), 2.0);
  EXPECT_TRUE(input.is_set("boundary.patch"));
  EXPECT_TRUE(input.is_set("boundary.patch[1]"));
  EXPECT_FALSE(input.is_set("boundary.patch[2]"));
  EXPECT_EQ(good("").count("boundary.patch"), 0u);
  const Input option = good(tables_body(), {"boundary.patch[1].kind=inflow"});
  EXPECT_EQ(option.text("boundary.patch[1].kind"), "inflow");
}

TEST(TablesInEntries, FaultsNameThem) {
  const Fault missing = fault_of("[[initial]]\nshape = { radius = 2 }\n");
  EXPECT_EQ(missing.key, "initial[0].shape.kind");
  EXPECT_EQ(missing.suggestion, "add `kind = ...` to this table");
  EXPECT_EQ(missing.column, 9);
  const Fault unknown = fault_of("[[initial]]\n[initial.shape]\nkind = \"box\"\nradus = 1\n");
  EXPECT_EQ(unknown.message, "no key `radus` in [initial.shape]");
  EXPECT_EQ(unknown.suggestion, "did you mean `radius`?");
  EXPECT_EQ(unknown.key, "initial[0].shape.radus");
  const Fault outside = fault_of("[[initial]]\nsmoothing = 1\n");
  EXPECT_EQ(outside.suggestion, "`smoothing` belongs in [initial.shape]");
  const Fault side = fault_of("[[boundary.patch]]\nkind = \"inflow\"\n");
  EXPECT_EQ(side.key, "boundary.patch[0].side");
  EXPECT_EQ(side.line, 7);
  EXPECT_EQ(fault_of("[boundary.patch]\nside = \"x_lower\"\n").suggestion,
            "did you mean [[boundary.patch]]?");
  const Fault hole = fault_of("[[initial]]\n[[initial.holes]]\n");
  EXPECT_EQ(hole.key, "initial[0].holes[0].radius");
  EXPECT_EQ(fault_of("[[initial]]\n[initial.holes]\nradius = 1\n").suggestion,
            "did you mean [[initial.holes]]?");
}

TEST(TablesInEntries, AWordThatLacksARequiredNeighbourIsWrittenOut) {
  Schema schema = tables_schema();
  schema.add({.path = "boundary.x_lower.mach", .required = true, .help = "Mach number."});
  Input input = Input::from_text(tables_head() + "[boundary]\nx_lower = \"inflow\"\n", "a.toml");
  input.validate(schema);
  ASSERT_EQ(input.faults().size(), 1u);
  EXPECT_EQ(input.faults()[0].suggestion, "write `x_lower = { kind = \"inflow\", mach = ... }`");
  Input absent = Input::from_text(tables_head() + "[boundary]\ny = \"periodic\"\n", "a.toml");
  absent.validate(schema);
  ASSERT_EQ(absent.faults().size(), 1u);
  EXPECT_EQ(absent.faults()[0].suggestion, "add a section [boundary.x_lower] with `mach = ...`");
}

// ---- everything together ---------------------------------------------------------------------

TEST(Tables, NumbersMayStandAmongExpressions) {
  const Input input = good(tables_body());
  EXPECT_EQ(input.expressions3("boundary.x_upper.velocity"),
            (std::array<std::string, 3>{"-3", "sin(t)", "1e-20"}));
  for (const char* number : {"1e20", "-2", "1e-20", "0.1", "inf"}) {
    const std::string text = std::string("[[initial]]\nvelocity = [") + number + ", 0, \"x\"]\n";
    const Input one = read(text);
    ASSERT_EQ(one.has_faults(), std::string(number) == "inf") << one.faults_text();
    if (one.has_faults()) continue;
    const Expression parsed(one.expressions3("initial[0].velocity")[0], {"x", "y", "z", "r"});
    EXPECT_EQ(parsed.constant(), std::stod(number));
  }
  const Fault fault = fault_of("[boundary]\nx_lower = { velocity = [-3000, 0, 0] }\n");
  EXPECT_EQ(fault.message, "boundary.x_lower.velocity: -3000 in x; must be -1000 or more");
  EXPECT_EQ(fault_of("[boundary]\nx_lower = { velocity = 3 }\n").allowed,
            "3 numbers or expressions in x, y, z, t, each -1000 or more");
}

TEST(Tables, TheResolvedCaseMeansTheSame) {
  const Input input = good(tables_body(), {"boundary.x_lower.pressure=3"});
  const std::string resolved = input.resolved_toml();
  const Input again = checked(resolved);
  ASSERT_FALSE(again.has_faults()) << resolved << again.faults_text();
  EXPECT_EQ(again.names("physics.fluids"), input.names("physics.fluids")) << resolved;
  EXPECT_EQ(again.names("numerics.scales"), input.names("numerics.scales"));
  for (const char* list : {"initial", "boundary.patch", "initial[0].holes", "initial[1].holes"}) {
    EXPECT_EQ(again.count(list), input.count(list)) << list;
  }
  for (const char* path :
       {"initial[0].shape", "initial[1].shape", "initial[2].shape", "physics.fluids.air.viscous",
        "physics.fluids.water.viscous", "boundary.patch[0].profile", "boundary.patch[1].profile"}) {
    EXPECT_EQ(again.is_set(path), input.is_set(path)) << path << "\n" << resolved;
  }
  for (const char* path : {"boundary.x_lower.kind", "boundary.x_upper.kind", "boundary.y",
                           "boundary.patch[0].profile.kind", "initial[1].shape.kind",
                           "initial[2].shape.kind", "physics.walls.steel.kind"}) {
    EXPECT_EQ(again.text(path), input.text(path)) << path;
  }
  EXPECT_EQ(again.real("physics.walls.skin.modulus"), input.real("physics.walls.skin.modulus"));
  EXPECT_EQ(again.expressions3("initial[0].velocity"), input.expressions3("initial[0].velocity"));
  // Resolved again it is the same text except for the comments.
  const auto plain = [](std::string text) {
    std::string result;
    for (std::size_t end; (end = text.find('\n')) != std::string::npos; text.erase(0, end + 1)) {
      std::string line = text.substr(0, std::min(end, text.find(" # ")));
      line.resize(line.find_last_not_of(' ') + 1);
      result += line + "\n";
    }
    return result;
  };
  EXPECT_EQ(plain(again.resolved_toml()), plain(resolved));
  EXPECT_NE(resolved.find("x_lower.kind = \"inflow\"                  # case.toml:18\n"),
            std::string::npos)
      << resolved;
  EXPECT_NE(resolved.find("\n# shape: unset\n"), std::string::npos);
  EXPECT_NE(resolved.find("\n[[boundary.patch]]\n"), std::string::npos);
  EXPECT_NE(resolved.find("\n[[initial.holes]]\n"), std::string::npos);
}

TEST(Tables, AnEmptyTableStaysGiven) {
  const Input input = good("[boundary]\nx_lower = {}\n[[initial]]\n[physics.fluids]\n");
  EXPECT_TRUE(input.is_set("boundary.x_lower"));
  EXPECT_TRUE(input.is_set("physics.fluids"));
  const Input again = checked(input.resolved_toml());
  ASSERT_FALSE(again.has_faults()) << input.resolved_toml() << again.faults_text();
  EXPECT_TRUE(again.is_set("boundary.x_lower"));
  EXPECT_TRUE(again.is_set("physics.fluids"));
  EXPECT_EQ(again.count("initial"), 1u);
}

// Two systems may have the same path with other properties; it belongs to both.
TEST(Tables, KeysOfSeveralSystemsAreForeignOnlyWhereTheyAreNotOnesOwn) {
  EXPECT_EQ(good("[[initial]]\nvelocity = [1, 2, 3]\n").expressions3("initial[0].velocity")[2],
            "3");
  const Schema schema = tables_schema();
  for (const char* own : {"initial[].velocity", "initial[3].velocity", "physics.scales",
                          "physics.fluids.water", "grid.cells", "initial"}) {
    EXPECT_TRUE(schema.foreign_systems(own).empty()) << own;
  }
  EXPECT_EQ(schema.foreign_systems("physics.viscosity"),
            (std::vector<std::string>{"boussinesq", "isothermal"}));
  EXPECT_EQ(schema.foreign_systems("initial[0].density"), std::vector<std::string>{"isothermal"});
  EXPECT_EQ(schema.foreign_systems("forcing"), std::vector<std::string>{"isothermal"});
  EXPECT_EQ(schema.foreign_systems("physics.fluids.water.expansion"),
            std::vector<std::string>{"boussinesq"});
  const Fault both = fault_of("[physics]\nviscosity = 1\n");
  EXPECT_EQ(both.message,
            "`viscosity` is a key of systems boussinesq and isothermal, not of multicomponent");
  EXPECT_EQ(both.suggestion, "");
  EXPECT_EQ(fault_of("[physics.scales]\nmass = 1\n").message,
            "`mass` is a key of system isothermal, not of multicomponent");
  // A case without a system: the nearest of its own names.
  EXPECT_EQ(fault_of("[physics.scales]\ndensty = 1\n").suggestion, "did you mean `density`?");
}

}  // namespace tables_test

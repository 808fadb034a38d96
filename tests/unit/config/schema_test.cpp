#include "config/schema.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "sample_system.hpp"

using nlohmann::json;

TEST(Schema, FindsConcreteAndFreePaths) {
  const sample::Schema schema = sample::schema();
  ASSERT_NE(schema.find("initial[12].density"), nullptr);
  EXPECT_EQ(schema.find("initial[12].density")->path, "initial[].density");
  ASSERT_NE(schema.find("constants.anything"), nullptr);
  EXPECT_EQ(schema.find("time"), nullptr);
  EXPECT_EQ(schema.find("time.*"), nullptr);
  EXPECT_EQ(schema.find("initial.density"), nullptr);
  EXPECT_TRUE(schema.is_list("initial"));
  EXPECT_FALSE(schema.is_list("time"));
  EXPECT_EQ(schema.members("physics"),
            (std::vector<std::string>{"scales", "sound_speed", "viscosity"}));
  EXPECT_EQ(schema.foreign_systems("physics.fluids"), std::vector<std::string>{"multicomponent"});
  EXPECT_TRUE(schema.foreign_systems("physics.flu").empty());
}

TEST(Schema, SystemsOverrideCommonEntries) {
  sample::Schema schema = sample::schema();
  schema.set_default("time.cfl", "0.4");
  schema.set_choices("device.schedule", {"direct"});
  EXPECT_EQ(schema.find("time.cfl")->default_text, "0.4");
  sample::Input input = sample::Input::from_text(sample::right_case(), "a.toml", {"time.wall=1"});
  input.validate(schema);
  EXPECT_EQ(input.integer("output.series_every_steps"), 10);
  EXPECT_THROW(schema.set_default("time.clf", "1"), watersmeet::Error);
  EXPECT_THROW(schema.set_default("time.cfl", "0,4"), watersmeet::Error);
  EXPECT_THROW(schema.add({.path = "time.cfl"}), watersmeet::Error);
}

TEST(Schema, ALoneNumberStandsForThreeWhereAllowed) {
  sample::Schema schema = sample::schema();
  const auto read = [&](const std::string& value) {
    sample::Input input = sample::Input::from_text(sample::right_case(), "a.toml",
                                                   {"time.wall=1", "grid.cells=" + value});
    input.validate(schema);
    return input;
  };
  EXPECT_FALSE(read("12").is_good("grid.cells"));
  schema.allow_alone("grid.cells", 6);
  EXPECT_EQ(read("12").integers3("grid.cells"), (watersmeet::Index3{12, 12, 6}));
  EXPECT_EQ(read("[4, 5, 6]").integers3("grid.cells"), (watersmeet::Index3{4, 5, 6}));
  for (const char* const wrong : {"0", "1.5", "[12, 12]", "\"many\""}) {
    EXPECT_FALSE(read(wrong).is_good("grid.cells")) << wrong;
  }
  EXPECT_EQ(read("\"2*6\"").integers3("grid.cells"), (watersmeet::Index3{12, 12, 6}));
  const json cells = json::parse(schema.json_schema())["properties"]["grid"]["properties"]["cells"];
  EXPECT_EQ(cells["anyOf"][1]["anyOf"][0]["type"], "integer");
  EXPECT_THROW(schema.allow_alone("grid.sells", 6), watersmeet::Error);
}

TEST(Schema, AListOfNumbersIsAnArrayForEditors) {
  const json root = json::parse(sample::schema().json_schema());
  const json& weights = root["properties"]["device"]["properties"]["weights"];
  EXPECT_EQ(weights["type"], "array");
  EXPECT_FALSE(weights.contains("minItems"));
  EXPECT_EQ(weights["items"]["anyOf"][0]["type"], "number");
  EXPECT_EQ(weights["items"]["anyOf"][0]["exclusiveMinimum"], 0.0);
}

// "Reader, checker, keys, manual and JSON schema cannot disagree": each of them names every key.
TEST(Schema, EveryKeyIsInEveryForm) {
  for (const sample::Schema& schema : {sample::schema(), sample::tables_schema()}) {
    const std::string manual = schema.manual();
    const json root = json::parse(schema.json_schema());
    for (const sample::Key& key : schema.keys()) {
      EXPECT_FALSE(key.help.empty()) << key.path;
      EXPECT_NE(schema.text(key.path).find(key.help), std::string::npos) << key.path;
      EXPECT_NE(manual.find(key.help), std::string::npos) << key.path;
      const json* place = &root;
      std::string path = key.path;
      for (std::size_t dot; (dot = path.find('.')) != std::string::npos; path.erase(0, dot + 1)) {
        const std::string name = path.substr(0, path.find_first_of(".["));
        if (name == "*") {
          place = &place->at("additionalProperties");
          continue;
        }
        ASSERT_TRUE(place->at("properties").contains(name)) << key.path;
        place = &place->at("properties").at(name);
        if (path[name.size()] == '[') place = &place->at("items");
      }
      if (path == "*") {
        EXPECT_TRUE(place->at("additionalProperties").contains("anyOf"));
      } else {
        EXPECT_TRUE(place->at("properties").contains(path)) << key.path;
        EXPECT_EQ(place->at("additionalProperties"), false);
      }
    }
  }
}

TEST(Schema, FindsTheKeysOfChosenNamesAndEntries) {
  const sample::Schema schema = sample::tables_schema();
  ASSERT_NE(schema.find("physics.fluids.water.gamma"), nullptr);
  EXPECT_EQ(schema.find("physics.fluids.water.gamma")->path, "physics.fluids.*.gamma");
  EXPECT_EQ(schema.find("initial[1].holes[22].radius")->path, "initial[].holes[].radius");
  for (const char* path : {"physics.fluids.water", "physics.fluids.gamma", "", "physics.fluids",
                           "physics.fluids.water.gamma.x", "initial[0].holes.radius",
                           "physics.fluids.water[0].gamma"}) {
    EXPECT_EQ(schema.find(path), nullptr) << path;
  }
  EXPECT_EQ(schema.members("physics.fluids"), std::vector<std::string>{"*"});
  EXPECT_EQ(schema.members("physics.fluids.air"),
            (std::vector<std::string>{"density", "gamma", "p_c", "viscous"}));
  EXPECT_EQ(schema.members("initial[4]"),
            (std::vector<std::string>{"fluid", "holes", "shape", "velocity"}));
  EXPECT_TRUE(schema.is_list("boundary.patch"));
  EXPECT_TRUE(schema.is_list("initial[2].holes"));
  EXPECT_FALSE(schema.is_list("initial[2].shape"));
  EXPECT_TRUE(schema.is_chosen_name("physics.fluids.air"));
  EXPECT_FALSE(schema.is_chosen_name("physics.fluids"));
  EXPECT_FALSE(schema.is_chosen_name("physics.fluids.air.gamma"));
  ASSERT_NE(schema.word_key("initial[0].shape"), nullptr);
  EXPECT_EQ(schema.word_key("initial[0].shape")->path, "initial[].shape.kind");
  for (const char* path : {"boundary.patch", "boundary.patch[0]", "boundary.y", "numerics.scales",
                           "", "physics.fluids.air"}) {
    EXPECT_EQ(schema.word_key(path), nullptr) << path;
  }
}

TEST(Schema, AKeyMayNotBeASectionToo) {
  sample::Schema schema = sample::tables_schema();
  EXPECT_THROW(schema.add({.path = "physics.fluids.*.gamma"}), watersmeet::Error);
  EXPECT_THROW(schema.add({.path = "boundary.y.kind"}), watersmeet::Error);
  EXPECT_THROW(schema.add({.path = "boundary.x_lower"}), watersmeet::Error);
  EXPECT_NO_THROW(schema.add({.path = "physics.fluids.water.colour"}));
  EXPECT_EQ(schema.find("physics.fluids.water.gamma")->path, "physics.fluids.*.gamma");
  EXPECT_EQ(schema.find("physics.fluids.air.colour"), nullptr);
}

TEST(Schema, HeadersAreThoseOfACase) {
  EXPECT_EQ(sample::header_of("initial[2]"), "[[initial]]");
  EXPECT_EQ(sample::header_of("initial[].shape"), "[initial.shape]");
  EXPECT_EQ(sample::header_of("initial[2].holes[0]"), "[[initial.holes]]");
  EXPECT_EQ(sample::header_of("boundary.patch[]"), "[[boundary.patch]]");
  EXPECT_EQ(sample::header_of("physics.fluids.*"), "[physics.fluids.NAME]");
  EXPECT_EQ(sample::header_of("physics.scales"), "[physics.scales]");
}

TEST(Schema, TextShowsTablesAsACaseHasThem) {
  const sample::Schema schema = sample::tables_schema();
  EXPECT_EQ(schema.text("physics.walls"),
            "[physics]\n"
            "  walls.NAME.kind     one of \"rigid\", \"elastic\"; required\n"
            "                      What a wall is made of. The word alone may stand for the table: "
            "NAME = \"rigid\".\n"
            "  walls.NAME.modulus  a number; default 2.5\n"
            "                      Modulus of an elastic wall.\n");
  const std::string boundary = schema.text("boundary");
  EXPECT_LT(boundary.find("[boundary]\n"), boundary.find("  x_lower.kind "));
  EXPECT_LT(boundary.find("  y "), boundary.find("\n[[boundary.patch]]\n  side "));
  EXPECT_NE(boundary.find("the table: x_lower = \"absorbing\"."), std::string::npos);
  EXPECT_EQ(boundary.find("patch = "), std::string::npos);
  // A reader may name a key as the case has it.
  const std::string gamma = schema.text("physics.fluids.*.gamma");
  EXPECT_NE(gamma.find("fluids.NAME.gamma"), std::string::npos);
  EXPECT_EQ(schema.text("physics.fluids.water.gamma"), gamma);
  EXPECT_EQ(schema.text("physics.fluids.NAME.gamma"), gamma);
  EXPECT_EQ(schema.text("boundary.patch.side"), schema.text("boundary.patch[].side"));
  EXPECT_EQ(schema.text("initial[3].shape"), schema.text("initial.shape"));
  const std::string manual = schema.manual();
  EXPECT_NE(manual.find("\n## [[boundary.patch]]\n"), std::string::npos);
  EXPECT_NE(manual.find("| `fluids.NAME.gamma` |"), std::string::npos);
  EXPECT_NE(manual.find("the table: `shape = \"sphere\"`. |"), std::string::npos);
}

TEST(Schema, JsonSchemaHoldsTables) {
  const json root = json::parse(sample::tables_schema().json_schema());
  const json& physics = root["properties"]["physics"]["properties"];
  EXPECT_EQ(physics["fluids"]["additionalProperties"]["required"], json({"gamma"}));
  EXPECT_TRUE(physics["fluids"]["propertyNames"].contains("pattern"));
  EXPECT_FALSE(physics["fluids"].contains("required"));
  const json& side = root["properties"]["boundary"]["properties"]["x_lower"];
  EXPECT_FALSE(side.contains("type"));
  EXPECT_EQ(side["anyOf"][0]["type"], "object");
  EXPECT_EQ(side["anyOf"][1]["enum"], json({"absorbing", "inflow", "reflecting"}));
  EXPECT_EQ(side["additionalProperties"], false);
  const json& patch = root["properties"]["boundary"]["properties"]["patch"];
  EXPECT_EQ(patch["type"], "array");
  EXPECT_EQ(patch["items"]["type"], "object");
  EXPECT_EQ(patch["items"]["required"], json({"side"}));
  const json& shape = root["properties"]["initial"]["items"]["properties"]["shape"];
  EXPECT_EQ(shape["required"], json({"kind"}));
  EXPECT_FALSE(root["properties"]["initial"]["items"].contains("required"));
  EXPECT_EQ(root["required"], json({"case", "grid"}));
}

TEST(Schema, TextNamesTypeRangeDefaultAndUnit) {
  const sample::Schema schema = sample::schema();
  EXPECT_EQ(schema.text("time.cfl"),
            "[time]\n"
            "  cfl  a number, greater than 0; default 0.9\n"
            "       Time step as a fraction of the stability limit of the scheme.\n");
  EXPECT_NE(schema.text("grid").find("required"), std::string::npos);
  EXPECT_NE(schema.text("initial").find("[[initial]]"), std::string::npos);
  EXPECT_EQ(schema.text("grid").find("[time]"), std::string::npos);
  EXPECT_EQ(schema.text("tim"), "");
}

TEST(Schema, JsonSchemaHoldsTypesAndBounds) {
  const json root = json::parse(sample::schema().json_schema());
  const json& cells = root["properties"]["grid"]["properties"]["cells"];
  EXPECT_EQ(cells["items"]["anyOf"][0]["type"], "integer");
  EXPECT_EQ(cells["items"]["anyOf"][0]["minimum"], 1);
  EXPECT_EQ(cells["items"]["anyOf"][1]["type"], "string");  // an expression
  EXPECT_EQ(cells["maxItems"], 3);
  EXPECT_EQ(root["properties"]["numerics"]["properties"]["order"]["anyOf"][0]["enum"],
            json({2, 4, 6}));
  EXPECT_EQ(root["properties"]["time"]["properties"]["cfl"]["anyOf"][0]["exclusiveMinimum"], 0);
  EXPECT_EQ(root["required"], json({"case", "grid"}));
  EXPECT_EQ(root["properties"]["grid"]["required"], json({"cells"}));
  EXPECT_EQ(root["properties"]["output"]["properties"]["overview"]["default"], true);
}

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
  const sample::Schema schema = sample::schema();
  const std::string manual = schema.manual();
  const json root = json::parse(schema.json_schema());
  for (const sample::Key& key : schema.keys()) {
    EXPECT_FALSE(key.help.empty()) << key.path;
    const std::string leaf = sample::leaf_of(key.path);
    EXPECT_NE(schema.text(key.path).find(key.help), std::string::npos) << key.path;
    EXPECT_NE(manual.find(key.help), std::string::npos) << key.path;
    const json* place = &root;
    std::string path = key.path;
    for (std::size_t dot; (dot = path.find('.')) != std::string::npos; path.erase(0, dot + 1)) {
      const std::string name = path.substr(0, path.find_first_of(".["));
      ASSERT_TRUE(place->at("properties").contains(name)) << key.path;
      place = &place->at("properties").at(name);
      if (path[name.size()] == '[') place = &place->at("items");
    }
    if (leaf == "*") {
      EXPECT_TRUE(place->at("additionalProperties").contains("anyOf"));
    } else {
      EXPECT_TRUE(place->at("properties").contains(leaf)) << key.path;
      EXPECT_EQ(place->at("additionalProperties"), false);
    }
  }
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
  EXPECT_EQ(cells["items"]["type"], "integer");
  EXPECT_EQ(cells["items"]["minimum"], 1);
  EXPECT_EQ(cells["maxItems"], 3);
  EXPECT_EQ(root["properties"]["numerics"]["properties"]["order"]["enum"], json({2, 4, 6}));
  EXPECT_EQ(root["properties"]["time"]["properties"]["cfl"]["anyOf"][0]["exclusiveMinimum"], 0);
  EXPECT_EQ(root["required"], json({"case", "grid"}));
  EXPECT_EQ(root["properties"]["grid"]["required"], json({"cells"}));
  EXPECT_EQ(root["properties"]["output"]["properties"]["overview"]["default"], true);
}

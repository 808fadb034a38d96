// Texts are changed by keys of their own schema.
#include "mutate_toml.hpp"

#include <gtest/gtest.h>

namespace watersmeet {
namespace {

// All that 12000 changes of a text make, one after the other.
std::string changed(const std::string& target, const std::string& text) {
  std::string all;
  for (unsigned seed = 0; seed < 12000; ++seed) {
    const config::Schema* const schema = fuzz::schema_of_texts(target, text, seed);
    if (schema != nullptr) all += fuzz::mutate_toml(text, *schema, seed) + "\n";
  }
  return all;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(MutateToml, ASiteGetsKeysOfASite) {
  const std::string all = changed("site", "[site]\naccount = \"a\"\n");
  for (const char* const key : {"partition = ", "directives = ", "[environment]\nair = "})
    EXPECT_TRUE(has(all, key)) << key;
  EXPECT_FALSE(has(all, "[physics"));
}

TEST(MutateToml, AMeshGetsKeysOfAMesh) {
  const std::string all = changed("mesh_file", "[mesh]\nkind = \"bump\"\n");
  EXPECT_TRUE(has(all, "[[boundary]]"));
  EXPECT_FALSE(has(all, "[physics"));
}

TEST(MutateToml, ACaseGetsKeysOfItsSystem) {
  for (const char* const target : {"case_file", "case_text"}) {
    const std::string all = changed(target, "[case]\nsystem = \"mhd\"\n");
    EXPECT_TRUE(has(all, "background_field")) << target;
    EXPECT_FALSE(has(all, "physics.freestream")) << target;
  }
}

TEST(MutateToml, EverySystemIsTakenWhereNoneIsNamed) {
  std::string all = changed("case_text", "[case]\n");
  EXPECT_TRUE(has(all, "freestream"));
  EXPECT_TRUE(has(all, "background_field"));
}

TEST(MutateToml, OtherInputHasNoKeys) {
  for (const char* const target : {"plot3d", "table", "expression", "command_line"})
    EXPECT_EQ(changed(target, "[case]\n"), "") << target;
}

}  // namespace
}  // namespace watersmeet

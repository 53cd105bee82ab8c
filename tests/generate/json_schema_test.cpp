// SPDX-License-Identifier: Apache-2.0
#include "json_schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::generate {
namespace {

using nlohmann::json;
using testing::ElementsAre, testing::IsEmpty;

const json kSchema = json::parse(R"({"type": "object", "required": ["cause", "changes"], "additionalProperties": false, "properties": {
  "cause": {"type": "string", "minLength": 1, "maxLength": 5},
  "changes": {"type": "array", "minItems": 1, "maxItems": 2, "items": {"type": "string"}}}})");

std::vector<std::string> faults(const char* text) { return schema_faults(json::parse(text), kSchema); }

TEST(JsonSchema, SaysWhatDoesNotHoldAndWhere) {
  EXPECT_THAT(faults(R"({"cause": "größe", "changes": ["a", "b"]})"), IsEmpty());  // five characters
  EXPECT_THAT(faults(R"([])"), ElementsAre("/: must be an object"));
  EXPECT_THAT(faults(R"({"cause": ""})"), ElementsAre("/: lacks 'changes'", "/cause: must have at least 1 characters, has 0"));
  EXPECT_THAT(faults(R"({"cause": "longer", "changes": []})"),
              ElementsAre("/cause: must have at most 5 characters, has 6", "/changes: must have at least 1 items, has 0"));
  EXPECT_THAT(faults(R"({"cause": 1, "changes": ["a", 2]})"), ElementsAre("/cause: must be a string", "/changes/1: must be a string"));
  EXPECT_THAT(faults(R"({"cause": "a", "changes": ["a"], "\u001b[2J": 1})"), ElementsAre("/: has an unknown member '\\x1b[2J'"));
  EXPECT_EQ(faults(R"({"cause": "a", "changes": ["a"], "1": 1, "2": 1, "3": 1, "4": 1, "5": 1})").size(), 3);
}

TEST(JsonSchema, FindsTheObjectInAnAnswer) {
  for (const char* answer : {"{\"a\": 1}", "Here:\n```json\n{\"a\": 1}\n```\nGood luck.", "<think>{not it}</think>{\"a\": 1}"})
    EXPECT_EQ(object_in(answer), json({{"a", 1}})) << answer;
  for (const char* answer : {"", "no", "}{", "{\"a\": 1", "[1]", "{\"a\": 1} and {\"b\": 2}"})
    EXPECT_TRUE(object_in(answer).is_discarded()) << answer;
  EXPECT_TRUE(object_in("{\"a\":" + std::string(1 << 20, '[') + "}").is_discarded());
}

}  // namespace
}  // namespace assay::generate

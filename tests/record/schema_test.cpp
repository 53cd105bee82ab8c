// SPDX-License-Identifier: Apache-2.0
// The schema, the writer and the reader know the same fields.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "assay/record/record.h"
#include "made_record.h"

namespace assay::record {
namespace {

using nlohmann::json;

const json& schema() {
  static const json read = json::parse(std::ifstream(RECORD_SCHEMA));
  return read;
}

json written(Stage stage) { return json(to_json(full_record(stage))); }

/// All that the writer writes, of any stage.
json all_fields() {
  json all = json::object();
  for (const Stage stage : all_stages) all.update(written(stage));
  return all;
}

/// The part of the schema that describes an object or array.
json described(json node) {
  if (node.contains("$ref")) node = schema().at(json::json_pointer(node["$ref"].get<std::string>().substr(1)));
  if (node.contains("oneOf")) node = node["oneOf"].back();
  return node;
}

std::set<std::string> keys(const json& object) {
  std::set<std::string> names;
  for (const auto& [key, value] : object.items()) names.insert(key);
  return names;
}

void expect_same_fields(const json& node, const json& value, const std::string& where) {
  const json here = described(node);
  if (value.is_array() && here.contains("items") && !value.empty()) expect_same_fields(here["items"], value[0], where + "[0]");
  if (!value.is_object() || !here.contains("properties")) return;
  EXPECT_EQ(keys(here["properties"]), keys(value)) << where;
  for (const auto& [key, field] : value.items())
    if (here["properties"].contains(key)) expect_same_fields(here["properties"][key], field, where + "." + key);
}

TEST(RecordSchema, NamesEachFieldThatIsWritten) { expect_same_fields(schema(), all_fields(), "record"); }

TEST(RecordSchema, NamesEachVerdict) {
  json names = json::array();
  for (const VerdictInfo& verdict : all_verdicts) names.push_back(verdict.name);
  EXPECT_EQ(schema()["properties"]["verdict"]["enum"], names);
}

TEST(RecordSchema, NamesEachStageTierAndDoubt) {
  const json& properties = schema()["properties"];
  for (const json& stage : properties["stage"]["enum"]) EXPECT_TRUE(stage_named(stage.get<std::string>())) << stage;
  for (const json& tier : properties["tier"]["enum"]) EXPECT_TRUE(tier_named(tier.get<std::string>())) << tier;
  for (const json& doubt : properties["doubt"]["enum"]) EXPECT_TRUE(doubt_named(doubt.get<std::string>())) << doubt;
  EXPECT_EQ(properties["stage"]["enum"].size(), all_stages.size());
  EXPECT_EQ(properties["tier"]["enum"].size(), tier_names.size());
  EXPECT_EQ(properties["version"]["const"], record_version);
}

TEST(Reader, ReadsWhatTheWriterWrites) {
  for (const Stage stage : all_stages) {
    const Record record = full_record(stage);
    EXPECT_EQ(parse_record(to_json(record).dump()), record) << name(stage);
  }
}

TEST(Reader, ReadsEachFieldOfTheSchema) {
  for (const Stage stage : all_stages) {
    const json whole = written(stage);
    for (const auto& [key, value] : whole.items()) {
      json changed = whole;
      changed[key] = json::array({json::array()});
      EXPECT_THROW(read_record(changed), RecordError) << name(stage) << ' ' << key;
    }
  }
}

TEST(Writer, HasNoNumberForNanAndInfinity) {
  Record record = full_record(Stage::bench);
  record.time_ns = std::nan("");
  record.gbps = HUGE_VAL;
  record.speedup->high = HUGE_VAL;
  const auto written = to_json(record);
  for (const char* key : {"time_ns", "gbps", "speedup"}) EXPECT_TRUE(written[key].is_null()) << key;
  const Record back = parse_record(written.dump());
  EXPECT_FALSE(back.time_ns || back.gbps || back.speedup);
}

}  // namespace
}  // namespace assay::record

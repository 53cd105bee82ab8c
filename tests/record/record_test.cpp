// SPDX-License-Identifier: Apache-2.0
#include "assay/record/record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "made_record.h"

namespace assay::record {
namespace {

using ::testing::HasSubstr;

std::string complaint(const nlohmann::json& record) {
  try {
    parse_record(record.dump());
  } catch (const RecordError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(TestName, FollowsTheContract) {
  const auto name = parse_test_name("gpt5-high.batched_matmul.cpp.007.bench");
  ASSERT_TRUE(name);
  EXPECT_EQ(name->sample.run, "gpt5-high");
  EXPECT_EQ(name->sample.task, "batched_matmul");
  EXPECT_EQ(name->sample.backend, "cpp");
  EXPECT_EQ(name->sample.index, 7);
  EXPECT_EQ(name->stage, Stage::bench);
  EXPECT_EQ(name->sample.text(), "gpt5-high.batched_matmul.cpp.007");
  EXPECT_EQ(name->text(), "gpt5-high.batched_matmul.cpp.007.bench");
}

TEST(TestName, RefusesEverythingElse) {
  for (const char* text : {"", "a.b.c.000", "a.b.c.000.test.x", "A.b.c.000.test", "-a.b.c.000.test", "a.1b.c.000.test", "a.b-b.c.000.test",
                           "a.b.c.00.test", "a.b.c.0000.test", "a.b.c.00x.test", "a.b.c.000.run", "a..c.000.test", "a.b.c.000.test "})
    EXPECT_FALSE(parse_test_name(text)) << text;
}

TEST(TestName, OwnFixturesAreNoCandidates) {
  EXPECT_TRUE(is_own_fixture("assay.machine"));
  EXPECT_TRUE(is_own_fixture("assay.relu.cases"));
  EXPECT_FALSE(is_own_fixture("assay.relu.cpp.000.test"));  // a run may be called assay
  EXPECT_FALSE(is_own_fixture("assayer.machine"));
}

TEST(Record, ReadsEachStage) {
  const Record compile = parse_record(made_record("m.relu.cpp.003.compile").dump());
  EXPECT_EQ(compile.sample.index, 3);
  EXPECT_EQ(compile.suites, std::vector<std::string>{"npueval"});
  EXPECT_DOUBLE_EQ(*compile.compile_ms, 12.5);
  const Record test = parse_record(made_record("m.relu.cpp.003.test").dump());
  EXPECT_EQ(test.cases->planned, 9);
  EXPECT_FALSE(test.errors->max_rel);
  EXPECT_EQ(test.errors->where, "tail: y[3]");
  EXPECT_TRUE(*test.repeatable);
  const Record bench = parse_record(made_record("m.relu.cpp.003.bench").dump());
  EXPECT_DOUBLE_EQ(bench.speedup->low, 1.9);
  EXPECT_EQ(bench.launches, 10);
  EXPECT_FALSE(bench.gflops);
  EXPECT_EQ(bench.baseline, "eigen");
}

TEST(Record, WithoutAOneSidedBoundClaimsItsLow) {
  const std::string name = "m.relu.cpp.003.bench";
  EXPECT_DOUBLE_EQ(parse_record(made_record(name).dump()).speedup->at_least, 1.9);
  const auto newer = made_record(name, {{"speedup", {{"at_least", 1.95}}}, {"cache", "cold"}});
  EXPECT_DOUBLE_EQ(parse_record(newer.dump()).speedup->at_least, 1.95);
  EXPECT_EQ(parse_record(newer.dump()).cache, "cold");
  EXPECT_THAT(complaint(made_record(name, {{"speedup", {{"at_least", 3}}}})), HasSubstr("at_least <= estimate"));
}

TEST(Record, ReadsItsFolds) {
  const std::string name = "m.relu.cpp.003.bench";
  const Folds folds = {1.5, 2, 2.5, 2, 2.25};
  EXPECT_EQ(parse_record(made_record(name, {{"folds", folds}}).dump()).folds, folds);
  EXPECT_FALSE(parse_record(made_record(name).dump()).folds) << "an older record";
  nlohmann::json none = made_record(name);
  none["folds"] = nullptr;
  EXPECT_FALSE(parse_record(none.dump()).folds) << "not finite";
  for (const nlohmann::json& wrong : {nlohmann::json(3), nlohmann::json::array({1, 2, 3, 4}), nlohmann::json::array({1, 2, 3, 4, 0}),
                                      nlohmann::json::array({1, 2, 3, 4, "5"}), nlohmann::json::array({1, 2, 3, 4, 5, 6})})
    EXPECT_EQ(complaint(made_record(name, {{"folds", wrong}})), "the record's 'folds' must be 5 numbers above 0, got " + wrong.dump());
}

TEST(Record, ReadsItsShapes) {
  const nlohmann::json speedup = {{"estimate", 2}, {"low", 1.9}, {"high", 2.1}, {"at_least", 1.8}};
  const std::string name = "m.relu.cpp.003.bench";
  const auto shaped = made_record(name, {{"shapes", {{{"dims", {{"N", 8}}}, {"time_ns", 5}, {"speedup", speedup}}}}});
  const Record record = parse_record(shaped.dump());
  ASSERT_EQ(record.shapes.size(), 1u);
  EXPECT_EQ(record.shapes[0].dims.at("N"), 8);
  EXPECT_DOUBLE_EQ(record.shapes[0].speedup->at_least, 1.8);
  EXPECT_THAT(complaint(made_record(name, {{"shapes", 3}})), HasSubstr("'shapes' must be an array"));
  EXPECT_THAT(complaint(made_record(name, {{"shapes", {{{"time_ns", 5}}}}})), HasSubstr("no 'dims'"));
}

TEST(Record, EveryCommonFieldIsNeeded) {
  for (const char* field :
       {"version", "run", "task", "category", "backend", "sample", "stage", "verdict", "detail", "difficulty", "suites", "tier", "machine"})
    EXPECT_THAT(complaint(made_record("m.relu.cpp.000.test", {{field, nullptr}})), HasSubstr(field)) << field;
}

TEST(Record, NamesTheFieldThatIsWrong) {
  const std::string name = "m.relu.cpp.000.bench";
  EXPECT_EQ(complaint(made_record(name, {{"sample", "0"}})), "the record's 'sample' must be a whole number, got string");
  EXPECT_EQ(complaint(made_record(name, {{"sample", 1000}})), "the record's 'sample' must be 0..999, got 1000");
  EXPECT_EQ(complaint(made_record(name, {{"verdict", "GREAT"}})), "the record's 'verdict' is unknown: GREAT");
  EXPECT_THAT(complaint(made_record(name, {{"suites", {1}}})), HasSubstr("'suites' must be an array of strings"));
  EXPECT_EQ(complaint(made_record(name, {{"tier", "most"}})), "the record's 'tier' is unknown: most");
  EXPECT_EQ(complaint(made_record(name, {{"doubt", "nobody"}})), "the record's 'doubt' is unknown: nobody");
  EXPECT_THAT(complaint(made_record(name, {{"device", {{"name", "x"}}}})), HasSubstr("no 'platform'"));
  EXPECT_THAT(complaint(made_record(name, {{"noise", {{"steal", 2}}}})), HasSubstr("'steal' must be at most 1"));
  EXPECT_THAT(complaint(made_record(name, {{"threads", {{"candidate", 0}}}})), HasSubstr("'candidate' must be 1.."));
  EXPECT_THAT(complaint(made_record(name, {{"time_ns", -1}})), HasSubstr("'time_ns' must be finite and not negative"));
  EXPECT_THAT(complaint(made_record(name, {{"difficulty", 6}})), HasSubstr("must be 1..5"));
  EXPECT_THAT(complaint(made_record(name, {{"speedup", {{"low", 3}}}})), HasSubstr("low <= estimate <= high"));
  EXPECT_THAT(complaint(made_record(name, {{"speedup", 2}})), HasSubstr("'speedup' must be an object"));
  EXPECT_THAT(complaint(made_record(name, {{"speedup", {{"estimate", 0}, {"low", 0}}}})), HasSubstr("above 0"));
}

TEST(Record, IgnoresFieldsOfLaterMinds) { EXPECT_EQ(complaint(made_record("m.relu.cpp.000.test", {{"colour", "red"}})), "accepted"); }

TEST(Record, IsJson) {
  EXPECT_THROW(parse_record("{\"version\": 1, "), RecordError);
  EXPECT_THROW(parse_record("[]"), RecordError);
}

TEST(Record, OfAnotherVersionIsToldApart) {
  EXPECT_THROW(parse_record(made_record("m.relu.cpp.000.test", {{"version", 2}}).dump()), VersionError);
}

}  // namespace
}  // namespace assay::record

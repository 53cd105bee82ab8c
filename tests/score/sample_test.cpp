// SPDX-License-Identifier: Apache-2.0
#include "assay/score/sample.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <nlohmann/json.hpp>

namespace assay::score {
namespace {

using nlohmann::json;

std::string why_not(const std::string& text) {
  try {
    parse_sample(text);
    return "";
  } catch (const SampleError& error) {
    return error.what();
  }
}

json sample(const json& more = json::object()) {
  json made = {{"task", "relu"}, {"source", "void relu() {}"}};
  made.update(more);
  return made;
}

TEST(Sample, HasTaskAndSourceAndDefaults) {
  const Sample read = parse_sample(sample().dump());
  EXPECT_EQ(read.task, "relu");
  EXPECT_EQ(read.backend, "cpp");
  EXPECT_EQ(read.source.text(), "void relu() {}");
  EXPECT_EQ(read.id, "");
  EXPECT_EQ(read.reward, "");
  EXPECT_FALSE(read.last.has_value());
  EXPECT_FALSE(read.deadline_seconds.has_value());
  EXPECT_TRUE(read.reuse);
}

TEST(Sample, TakesAllThatMayBeSaid) {
  const Sample read = parse_sample(sample({{"id", "step:7.3_a-B"},
                                           {"backend", "opencl"},
                                           {"stages", {"compile", "test"}},
                                           {"deadline_s", 2.5},
                                           {"reward", "moka"},
                                           {"reuse", false}})
                                       .dump());
  EXPECT_EQ(read.id, "step:7.3_a-B");
  EXPECT_EQ(read.backend, "opencl");
  EXPECT_EQ(read.last, record::Stage::test);
  EXPECT_EQ(read.deadline_seconds, 2.5);
  EXPECT_EQ(read.reward, "moka");
  EXPECT_FALSE(read.reuse);
}

TEST(Sample, StagesNameTheLastOne) {
  EXPECT_EQ(parse_sample(sample({{"stages", {"bench"}}}).dump()).last, record::Stage::bench);
  EXPECT_EQ(parse_sample(sample({{"stages", {"bench", "compile"}}}).dump()).last, record::Stage::bench);
  EXPECT_EQ(parse_sample(sample({{"stages", {"compile"}}}).dump()).last, record::Stage::compile);
  for (const json& stages : {json::array(), json("test"), json({"link"}), json({1}), json({"test", "test", "test", "test"})})
    EXPECT_THAT(why_not(sample({{"stages", stages}}).dump()), testing::HasSubstr("stages must be a list")) << stages;
}

TEST(Sample, NamesWhatIsWrong) {
  EXPECT_THAT(why_not(""), testing::HasSubstr("is no JSON"));
  EXPECT_THAT(why_not(R"({"task":"relu","sou)"), testing::HasSubstr("is no JSON"));
  EXPECT_THAT(why_not("[]"), testing::HasSubstr("must be a JSON object, got array"));
  EXPECT_THAT(why_not("{}"), testing::HasSubstr("has no 'task'"));
  EXPECT_THAT(why_not(R"({"task":"relu"})"), testing::HasSubstr("has no 'source'"));
  EXPECT_THAT(why_not(sample({{"sources", "x"}}).dump()), testing::HasSubstr("did you mean: source?"));
  EXPECT_THAT(why_not(sample({{"source", 7}}).dump()), testing::HasSubstr("source must be a string, or an object of files, got number"));
  EXPECT_THAT(why_not(sample({{"reuse", "no"}}).dump()), testing::HasSubstr("reuse must be true or false"));
}

TEST(Sample, WantsADeadlineThatCanBeKept) {
  for (const json& deadline : {json(0), json(-1), json(3601), json(1e300), json("5"), json::array()})
    EXPECT_THAT(why_not(sample({{"deadline_s", deadline}}).dump()), testing::HasSubstr("deadline_s must be")) << deadline;
  EXPECT_EQ(why_not(sample({{"deadline_s", 0.001}}).dump()), "");
}

TEST(Sample, TakesNoNameThatCouldBeAPath) {
  for (const char* name :
       {"", "../relu", "relu/../..", "/etc/passwd", "Relu", "relu.cpp", "re lu", "relu\n", "1relu", "_relu", "r\xc3\xa9lu"}) {
    EXPECT_THAT(why_not(sample({{"task", name}}).dump()), testing::HasSubstr("task must be a name")) << name;
    if (*name == '\0') continue;  // then it is cpp
    EXPECT_THAT(why_not(sample({{"backend", name}}).dump()), testing::HasSubstr("backend must be a name")) << name;
  }
  EXPECT_THAT(why_not(sample({{"task", std::string(201, 'a')}}).dump()), testing::HasSubstr("task must be a name"));
  for (const char* id : {"", "../x", "a b", "a/b", "a\u001b[31m", "é"})
    EXPECT_THAT(why_not(sample({{"id", id}}).dump()), testing::HasSubstr("id must be")) << id;
  EXPECT_THAT(why_not(sample({{"id", std::string(129, 'a')}}).dump()), testing::HasSubstr("id must be"));
}

TEST(Sample, MayHaveSeveralFiles) {
  const Sample read = parse_sample(sample({{"source", {{"b.h", "// b"}, {"a.cpp", "#include \"b.h\""}}}}).dump());
  EXPECT_THAT(read.source.files(), testing::ElementsAre(testing::Pair("a.cpp", "#include \"b.h\""), testing::Pair("b.h", "// b")));
  EXPECT_EQ(read.source.text(), "");
  EXPECT_THAT(why_not(sample({{"source", json::object()}}).dump()), testing::HasSubstr("source must have 1 to 100 files, got 0"));
  EXPECT_THAT(why_not(sample({{"source", {{"a.cpp", 7}}}}).dump()), testing::HasSubstr("source 'a.cpp' must be a string, got number"));
  EXPECT_THAT(why_not(sample({{"source", {{"a.cpp", {{"b", "c"}}}}}}).dump()), testing::HasSubstr("nested deeper"));
  for (const char* name :
       {"", ".", "..", "../a.cpp", "/etc/a.cpp", "a/b.cpp", ".hidden", "-o", "kernel.h", "a b.cpp", "a\n.cpp", "\u00fc.cpp"})
    EXPECT_THAT(why_not(sample({{"source", {{name, "x"}}}}).dump()), testing::StartsWith("sample: source '")) << name;
  json many = json::object();
  for (std::size_t i = 0; i <= kMostFiles; ++i) many["f" + std::to_string(i) + ".h"] = "";
  EXPECT_THAT(why_not(sample({{"source", many}}).dump()), testing::HasSubstr("got 101"));
  // Names count: two halves of the limit and their names are too much.
  const std::string half(kMostSourceBytes / 2, 'x');
  EXPECT_THAT(why_not(sample({{"source", {{"a.h", half}, {"b.h", half}}}}).dump()), testing::HasSubstr("more than the limit"));
}

TEST(Sample, IsUtf8) {
  EXPECT_EQ(why_not("{\"task\":\"relu\",\"source\":\"// \xff\xfe\"}"), "sample: is not UTF-8");
  EXPECT_EQ(why_not("{\"task\":\"relu\",\"source\":\"\xed\xa0\x80\"}"), "sample: is not UTF-8");  // half of a pair
  EXPECT_EQ(parse_sample(sample({{"source", "// \u00fc \u4e2d"}}).dump()).source.text(), "// \u00fc \u4e2d");
}

TEST(Sample, HasALimitedSize) {
  EXPECT_EQ(why_not(sample({{"source", std::string(kMostSourceBytes, 'x')}}).dump()), "");
  EXPECT_THAT(why_not(sample({{"source", std::string(kMostSourceBytes + 1, 'x')}}).dump()), testing::HasSubstr("more than the limit"));
  // Spelt out, the largest source still passes.
  const std::string spelt = sample({{"source", std::string(kMostSourceBytes, '\x01')}}).dump();
  EXPECT_LE(spelt.size(), kMostSampleBytes);
  EXPECT_EQ(why_not(spelt), "");
  EXPECT_THAT(why_not(std::string(kMostSampleBytes + 1, ' ')), testing::HasSubstr("has more than"));
}

TEST(Sample, OfAnyShapeTakesLittleTime) {
  const auto began = std::chrono::steady_clock::now();
  for (const std::string& piece :
       {std::string("["), std::string("{\"a\":"), std::string("[1,"), std::string("\"\\u0000"), std::string("[],")}) {
    std::string text;
    while (text.size() < kMostSampleBytes - piece.size()) text += piece;
    EXPECT_NE(why_not(text), "") << piece;
  }
  std::string keys = "{";
  while (keys.size() < std::size_t{1} << 20) keys += "\"k" + std::to_string(keys.size()) + "\":0,";
  EXPECT_THAT(why_not(keys + "\"z\":0}"), testing::HasSubstr("unknown key"));
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(20));
}

}  // namespace
}  // namespace assay::score

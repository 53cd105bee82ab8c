// SPDX-License-Identifier: Apache-2.0
// Functions of a model: their nodes take the place of each call, and mistakes are reported where the function has them.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "assay/oracle/evaluate.h"
#include "assay/spec/dim_expression.h"
#include "assay/spec/error.h"
#include "model_text.h"

namespace assay::spec {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Graph parse(const std::string& text) { return parse_model(text, 17, {"task.yaml", 10, 2}); }

std::string error_of(const std::string& text) {
  try {
    parse(text);
  } catch (const SpecError& error) {
    return error.what();
  }
  return "no error";
}

/// y = <call>, over float[N] x, at task.yaml:12:9, and the function, whose header is line 14.
std::string with(const std::string& call, const std::string& function) {
  return fmt::format("f (float[N] x) => (float[N] y)\n{{\n  y = {}\n}}\n<domain: \"local\">\n{}\n", call, function);
}

std::vector<double> result_of(const Graph& graph) {
  oracle::Tensor<double> x({2});
  x.begin()[0] = 1;
  x.begin()[1] = -4;
  const auto outputs = oracle::evaluate<double>(graph, {oracle::Value<double>{ElementType::f32, x}});
  const auto& y = std::get<oracle::Tensor<double>>(outputs[0].elements);
  return {y.begin(), y.end()};
}

TEST(Functions, AreComputedWhereTheyAreCalled) {
  const Graph graph = parse(
      "f (float[N] x) => (float[N] y)\n{\n  h = local.bend(x, x)\n  y = local.bend(h, x)\n}\n<domain: \"local\">\n"
      "bend (a, b) => (c)\n{\n  r = Relu(a)\n  c = Add(r, b)\n}");
  EXPECT_EQ(result_of(graph), (std::vector<double>{3, -4}));
  ASSERT_EQ(graph.nodes.size(), 4U);
  EXPECT_THAT(graph.nodes[0].outputs, ElementsAre("h.bend.r"));
  EXPECT_THAT(graph.nodes[1].inputs, ElementsAre("h.bend.r", "x"));
  EXPECT_THAT(graph.nodes[3].inputs, ElementsAre("y.bend.r", "x"));
  EXPECT_THAT(graph.nodes[3].outputs, ElementsAre("y"));
  EXPECT_EQ(graph.nodes[3].location.line, 19);
  EXPECT_EQ(graph.nodes[3].location.column, 9);
}

TEST(Functions, CallOthersAndTakeAttributes) {
  const Graph graph = parse(
      "f (float[N] x) => (float[N] y)\n{\n  y, z = my.both <slope = 0.25> (x)\n}\n"
      "<domain: \"my\">\nboth <slope> (a) => (b, c)\n{\n  b = my.leak <by = @slope> (a)\n  c = Neg(b)\n}\n"
      "<domain: \"my\", opset_import: [\"\" : 17]>\nleak <by> (a) => (b) { b = LeakyRelu <alpha : float = @by> (a) }");
  EXPECT_EQ(result_of(graph), (std::vector<double>{1, -1}));
  EXPECT_THAT(graph.nodes[1].outputs, ElementsAre("z"));
}

TEST(Functions, TakeAttributesThatFollowFromDimensions) {
  const Graph graph = parse(
      "f (float[1, 2*C, H] x, float[2*C, 1, 1] w) => (float[1, 2*C, H] y)\n{\n  y = my.each <groups = 2*C> (x, w)\n}\n"
      "<domain: \"my\">\neach <groups> (x, w) => (y) { y = Conv <group = @groups, kernel_shape = [1]> (x, w) }");
  EXPECT_EQ(std::get<DimAttribute>(graph.nodes.at(0).attributes.at("group")).values.at(0)->text, "2*C");
}

TEST(Functions, ShareOneNumberAmongTheirCalls) {
  const std::string half = "half (a) => (b) { b = Mul(a, 0.5) }";
  const Graph graph = parse("f (float[N] x) => (float[N] y)\n{\n  h = local.half(x)\n  y = local.half(h)\n}\n<domain: \"local\">\n" + half);
  EXPECT_EQ(result_of(graph), (std::vector<double>{0.25, -1}));
  EXPECT_EQ(graph.nodes.size(), 3U);
  EXPECT_EQ(graph.nodes[0].location.line, 16);
  EXPECT_THAT(error_of("f (float[N] x, double[N] z) => (float[N] y, double[N] v)\n{\n  y = local.half(x)\n  v = local.half(z)\n}\n"
                       "<domain: \"local\">\n" +
                       half),
              HasSubstr("task.yaml:16:32: model: 0.5 is float in one call of the function and double in another"));
}

TEST(Functions, HoldBodiesAndAreCalledInThem) {
  const std::string scan =
      "Scan <num_scan_inputs = 1, body = step (float s, float t) => (float u, float v) {\n"
      "    u = Add(s, t)\n    v = local.twice(u)\n  }> (zero, a)";
  const Graph graph =
      parse(with("local.sums(x)", "sums (a) => (all)\n{\n  zero = Constant <value = float {0.0}> ()\n  last, all = " + scan +
                                      "\n}\n<domain: \"local\">\ntwice (a) => (b) { b = Add(a, a) }"));
  EXPECT_EQ(result_of(graph), (std::vector<double>{2, -6}));
  EXPECT_THAT(graph.nodes[1].outputs, ElementsAre("y.sums.last", "y"));
  const Graph& body = *std::get<std::shared_ptr<const Graph>>(graph.nodes[1].attributes.at("body"));
  EXPECT_EQ(body.inputs[0].name, "y.sums.s");
  EXPECT_THAT(body.nodes[1].outputs, ElementsAre("y.sums.v"));
  EXPECT_EQ(body.nodes[0].location.line, 19);
  EXPECT_EQ(body.nodes[1].location.line, 24);
}

struct Mistake {
  std::string name, text, message;
};
std::ostream& operator<<(std::ostream& out, const Mistake& mistake) { return out << mistake.name; }

class FunctionMistake : public testing::TestWithParam<Mistake> {};

TEST_P(FunctionMistake, IsReportedAtItsLine) { EXPECT_THAT(error_of(GetParam().text), HasSubstr(GetParam().message)); }

const std::string kId = "id (a) => (b) { b = Identity(a) }";

INSTANTIATE_TEST_SUITE_P(
    All, FunctionMistake,
    testing::Values(
        Mistake{"Unknown", with("local.id(x)", "id (a) => (b) { b = Identity(c) }"),
                "task.yaml:15:23: model: Identity reads 'c', which nothing before it in local.id writes"},
        Mistake{"OfTheGraph", with("local.id(x)", "id (a) => (b) { b = Add(a, x) }"), "Add reads 'x', which nothing before it in local.id"},
        Mistake{"WrittenTwice", with("local.id(x)", "id (a) => (b) { b = Identity(a) b = Relu(a) }"),
                "task.yaml:15:39: model: Relu writes 'b', which is written already in local.id"},
        Mistake{"NeverWritten", with("local.id(x)", "id (a) => (b) { c = Identity(a) }"),
                "task.yaml:15:3: model: function 'id' never writes its output 'b'"},
        Mistake{"NoOutput", with("local.id(x)", "id (a) => () { c = Identity(a) }"), "model: function 'id' has no output"},
        Mistake{"InputIsOutput", with("local.id(x)", "id (a) => (a) { a = Identity(a) }"), "'a' twice among its inputs and outputs"},
        Mistake{"Inputs", with("local.id(x, x)", kId), "task.yaml:12:15: model: local.id has 1 inputs, the call 2"},
        Mistake{"Outputs", with("local.id(x)\n  z, v = local.id(x)", kId), "task.yaml:13:18: model: local.id has 1 outputs, the call 2"},
        Mistake{"UnknownAttribute", with("local.id <by = 2> (x)", kId), "local.id has no attribute 'by'. known: "},
        Mistake{"AttributeTwice", with("local.id <by = 2, by = 3> (x)", "id <by> (a) => (b) { b = Elu <alpha = @by> (a) }"),
                "attribute 'by' is given twice"},
        Mistake{"NoAttribute", with("local.id(x)", "id <by> (a) => (b) { b = Elu <alpha = @by> (a) }"),
                "task.yaml:12:15: model: the call leaves out attribute 'by' of local.id"},
        Mistake{"UnknownReference", with("local.id(x)", "id (a) => (b) { b = Elu <alpha = @by> (a) }"),
                "@by is no attribute of local.id. do: write it behind the function's name, as in id <by> (...)"},
        Mistake{"ReferenceOutside", with("Elu <alpha = @by> (x)", kId), "task.yaml:12:9: model: @by stands outside of a function"},
        Mistake{"NeverCalled", with("Relu(x)", kId), "task.yaml:15:3: model: function 'id' is never called. do: call it, or leave it out"},
        Mistake{"Twice", with("local.id(x)", kId + "\n<domain: \"local\">\n" + kId), "task.yaml:17:3: model: function 'id' is there twice"},
        Mistake{"CallsItself", with("local.id(x)", "id (a) => (b) { b = local.id(a) }"), "task.yaml:15:29: model: local.id calls itself"},
        Mistake{"NoDomain", "f (float[N] x) => (float[N] y) { y = id(x) }\n<opset_import: [\"\" : 17]>\n" + kId,
                "task.yaml:12:3: model: function 'id' has no domain of its own. do: write <domain: \"local\"> before it"},
        Mistake{"OtherOpset", "f (float[N] x) => (float[N] y) { y = my.id(x) }\n<domain: \"my\", opset_import: [\"\" : 13]>\n" + kId,
                "function 'id' imports opset 13, the model's is 17"},
        Mistake{"Syntax", with("local.id(x)", "id (a) = (b) { b = Identity(a) }"), "task.yaml:15:"},
        Mistake{"NoHeader", "f (float[N] x) => (float[N] y) { y = local.id(x) }\n" + kId, "or begin a function with <domain: \"local\">"}),
    [](const auto& tested) { return tested.param.name; });

/// Each of `count` functions calls the next one twice.
std::string doubling(int count) {
  std::string text = "f (float[N] x) => (float[N] y) { y = local.f0(x) }\n";
  for (int i = 0; i < count; ++i)
    text += fmt::format("<domain: \"local\"> f{0} (a) => (b) {{ c = local.f{1}(a) b = local.f{1}(c) }}\n", i, i + 1);
  return text + fmt::format("<domain: \"local\"> f{} (a) => (b) {{ b = Relu(a) }}\n", count);
}

TEST(Functions, StayFew) {
  EXPECT_EQ(parse(doubling(10)).nodes.size(), 1024U);
  EXPECT_THAT(error_of(doubling(20)), HasSubstr("with all functions in place the model has more than 16384 nodes"));
  EXPECT_THAT(error_of(doubling(40)), HasSubstr("calls are nested more than 32 deep"));
}

}  // namespace
}  // namespace assay::spec

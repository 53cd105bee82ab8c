// SPDX-License-Identifier: Apache-2.0
// Numbers in place of operands: they have the type of the other operands, and mistakes are reported where the file has them.
#include "literals.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "assay/spec/error.h"
#include "model_text.h"

namespace assay::spec {
namespace {

/// y = <node>, over <type>[N] x, its node at task.yaml:12:9.
std::string around(const std::string& node, const std::string& type = "float", const std::string& result = "") {
  return fmt::format("f ({0}[N] x) => ({1}[N] y)\n{{\n  y = {2}\n}}", type, result.empty() ? type : result, node);
}

Graph parse(const std::string& text, int opset = 17) { return parse_model(text, opset, {"task.yaml", 10, 2}); }

std::string error_of(const std::string& text) {
  try {
    parse(text);
  } catch (const SpecError& error) {
    return error.what();
  }
  return "no error";
}

const ConstantTensor& constant(const Graph& graph, std::size_t node) {
  return std::get<ConstantTensor>(graph.nodes.at(node).attributes.at("value"));
}

TEST(Literals, HaveTheTypeOfTheOtherOperand) {
  for (const std::string type : {"float", "double", "float16", "bfloat16"}) {
    const Graph graph = parse(around("Mul(x, -0.5)", type));
    EXPECT_EQ(constant(graph, 0).type, graph.inputs[0].type);
    EXPECT_EQ(constant(graph, 0).reals, std::vector<double>{-0.5});
    EXPECT_TRUE(constant(graph, 0).shape.empty());
    EXPECT_EQ(graph.nodes[1].op_type, "Mul");
    EXPECT_EQ(graph.nodes[1].inputs[1], graph.nodes[0].outputs[0]);
  }
  for (const std::string type : {"int32", "int64", "uint32", "uint64"}) {
    const Graph graph = parse(around("Add(3, x)", type));
    EXPECT_EQ(constant(graph, 0).type, graph.inputs[0].type);
    EXPECT_EQ(constant(graph, 0).integers, std::vector<std::int64_t>{3});
  }
}

TEST(Literals, AreInfinitiesAndNan) {
  EXPECT_EQ(constant(parse(around("Max(x, -inf)")), 0).reals, std::vector<double>{-INFINITY});
  EXPECT_EQ(constant(parse(around("Min(x, inf)", "bfloat16")), 0).reals, std::vector<double>{INFINITY});
  EXPECT_TRUE(std::isnan(constant(parse(around("Add(x, nan)", "float16")), 0).reals.at(0)));
}

TEST(Literals, FollowTypesThroughTheGraph) {
  const Graph cast = parse(around("Add(h, 1)\n  ", "float", "float16").replace(35, 0, "h = Cast <to = 10> (x)\n  "));
  EXPECT_EQ(constant(cast, 1).type, ElementType::f16);
  const Graph where = parse("f (float[N] x) => (float[N] y)\n{\n  below = Less(x, 0)\n  y = Where(below, -1, x)\n}");
  EXPECT_EQ(constant(where, 0).type, ElementType::f32);
  EXPECT_EQ(constant(where, 2).type, ElementType::f32);
  const Graph shape =
      parse("f (float[N] x, float[N] z) => (int64[N] y)\n{\n  s = Shape(x)\n  t = Mul(s, 2)\n  u = Cast <to = 7> (z)\n  y = Add(u, t)\n}");
  EXPECT_EQ(constant(shape, 1).type, ElementType::i64);
  EXPECT_EQ(constant(parse(around("CumSum(x, 0)")), 0).type, ElementType::i64) << "the axis has no operand of its type";
  EXPECT_EQ(constant(parse(around("Pow(x, 2)", "float16")), 0).type, ElementType::f16);
}

TEST(Literals, FollowTypesThroughOperatorsThatLibonnxDoesNotKnow) {
  const Graph graph = parse(
      "f (float16[N, 4] x, float16[4] s) => (float16[N, 4] y)\n{\n  n = NewNormalization <groups = 2> (x, s, s)\n  y = Max(n, -0.5)\n}",
      21);
  EXPECT_EQ(constant(graph, 1).type, ElementType::f16);
  EXPECT_THAT(error_of("f (float[N] x, int64[N] i) => (float[N] y)\n{\n  n = NewGather(x, i)\n  y = Max(n, 0.5)\n}"),
              testing::HasSubstr("task.yaml:13:16: model: no other operand of Max gives 0.5 a type"));
}

TEST(Literals, TakeNoTypeFromAnOperatorOfAnotherDomain) {
  EXPECT_THAT(error_of("f (int64[N] x) => (uint32[N] y)\n{\n  w = local.Words(x)\n  y = Max(w, 5)\n}"),
              testing::HasSubstr("task.yaml:13:16: model: no other operand of Max gives 5 a type"));
}

TEST(Literals, StandInBodies) {
  const Graph graph = parse(
      "f (bool c, float[N] x) => (float[N] y)\n{\n  y = If <then_branch = a () => (float[N] p) { p = Mul(x, 2) },\n"
      "          else_branch = b () => (float[N] q) { q = Neg(x) }> (c)\n}");
  const auto& body = *std::get<std::shared_ptr<const Graph>>(graph.nodes.at(0).attributes.at("then_branch"));
  EXPECT_EQ(constant(body, 0).type, ElementType::f32);
}

TEST(Literals, HaveAPlaceAndANameEach) {
  const Graph graph = parse(around("Clip(x, 1, 1)"));
  ASSERT_EQ(graph.nodes.size(), 3u);
  EXPECT_EQ(graph.nodes[0].outputs[0], "1");
  EXPECT_EQ(graph.nodes[1].outputs[0], "1 (2)");
  EXPECT_EQ(graph.nodes[0].location.line, 12);
  EXPECT_EQ(graph.nodes[0].location.column, 17);
  EXPECT_EQ(graph.nodes[1].location.column, 20);
  EXPECT_EQ(graph.nodes[2].location.column, 9);
}

TEST(Literals, LeaveOtherNumbersAlone) {
  const Graph graph =
      parse("f (float[N, 3] x) => (float[3, N] y)\n{\n  literal = Transpose <perm = [1, 0]> (x)\n  y = Clip(literal, , 6.0)\n}", 17);
  ASSERT_EQ(graph.nodes.size(), 3u);
  EXPECT_EQ(graph.nodes[2].inputs, (std::vector<std::string>{"literal", "", "6.0"}));
}

struct Mistake {
  const char* name;
  std::string text;
  const char* message;
};

void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.name; }

class LiteralMistake : public testing::TestWithParam<Mistake> {};

TEST_P(LiteralMistake, IsReportedAtItsPlace) { EXPECT_THAT(error_of(GetParam().text), testing::HasSubstr(GetParam().message)); }

INSTANTIATE_TEST_SUITE_P(
    All, LiteralMistake,
    testing::Values(
        Mistake{"Suffix", around("Mul(x, 0.5f)"), "task.yaml:12:16: model: the operand '0.5f' is neither a name nor a number"},
        Mistake{"TooLarge", around("Mul(x, 1e999)"), "task.yaml:12:16: model: the operand '1e999' is neither a name nor a number"},
        Mistake{"BeyondFloat", around("Mul(x, 1e39)"), "task.yaml:12:16: model: 1e39 is beyond the range of float"},
        Mistake{"BeyondFloat16", around("Mul(x, 70000)", "float16"), "task.yaml:12:16: model: 70000 is beyond the range of float16"},
        Mistake{"NoInteger", around("Mul(x, 0.5)", "int32"), "task.yaml:12:16: model: 0.5 is no int32, the type of the other operand"},
        Mistake{"BeyondInteger", around("Max(x, 128)", "int8"), "task.yaml:12:16: model: 128 is no int8"},
        Mistake{"BelowUnsigned", around("Max(x, -1)", "uint8"), "task.yaml:12:16: model: -1 is no uint8"},
        Mistake{"InfinityOfIntegers", around("Max(x, inf)", "int64"), "task.yaml:12:16: model: inf is no int64"},
        Mistake{"NoOtherOperand", "f (float[N] x) => (float[N] y)\n{\n  a = Add(1, 2)\n  y = Mul(x, a)\n}",
                "task.yaml:12:13: model: no other operand of Add gives 1 a type. do: name it, as in c = Constant <value = float {1}> ()"},
        Mistake{"SyntaxAfterALiteral", around("Clip(x, 0, 1) & Neg(x)"), "task.yaml:12:23: model: not the ONNX text syntax"},
        Mistake{"NodeAfterALiteral", around("Mul(x, 2)\n  z = Nix(w)"),
                "task.yaml:13:9: model: Nix reads 'w', which nothing before it writes"},
        Mistake{"SecondGraph", around("Mul(x, 2)") + "\ng (float[N] x) => (float[N] y) { y = Neg(x) }",
                "model: text after the graph's closing brace"}),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace assay::spec

// SPDX-License-Identifier: Apache-2.0
// What onnx_model() writes reads back as the same model, with numbers in place of dimensions.
#include "assay/spec/onnx_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <variant>

#include "model_text.h"
#include "proto.h"

namespace assay::spec {
namespace {

using testing::ElementsAre;

onnx::ModelProto written(const Graph& graph, const Dims& dims) {
  onnx::ModelProto model;
  EXPECT_TRUE(model.ParseFromString(onnx_model(graph, dims)));
  return model;
}

/// The model of `text` at `dims`, written and read again.
Graph through_onnx(const std::string& text, const Dims& dims) {
  return graph_from_proto(written(parse_model(text, 17, {"task.yaml", 1, 0}), dims).graph(), 17);
}

const Attribute& attribute(const Graph& graph, std::size_t node, const std::string& name) {
  return graph.nodes.at(node).attributes.at(name);
}

TEST(OnnxModel, HasNumbersInPlaceOfDimensions) {
  const Graph graph = through_onnx(R"(f (float[N, 2*C] x) => (float[N, C, 2] y) {
    shape = Constant <value_ints = [N, C, 2]> ()
    y = Reshape (x, shape)
  })",
                                   {{"N", 3}, {"C", 5}});
  EXPECT_THAT(std::get<std::vector<std::int64_t>>(attribute(graph, 0, "value_ints")), ElementsAre(3, 5, 2));
  ASSERT_EQ(graph.inputs.size(), 1u);
  EXPECT_EQ(graph.inputs[0].name, "x");
  EXPECT_EQ(graph.inputs[0].type, ElementType::f32);
  EXPECT_EQ(graph.inputs[0].shape[0].value, 3);
  EXPECT_EQ(graph.inputs[0].shape[1].value, 10);
  ASSERT_EQ(graph.outputs.size(), 1u);
  ASSERT_EQ(graph.outputs[0].shape.size(), 3u);
  EXPECT_EQ(graph.outputs[0].shape[1].value, 5);
}

TEST(OnnxModel, KeepsNodesAndAttributesOfEachKind) {
  const Graph graph = through_onnx(R"(f (float[N] x) => (float[N] y) {
    a = LeakyRelu <alpha = 0.25> (x)
    b = com.example.Mixed <text = "words", reals = [0.5, -2.0], texts = ["a", "b"], axis = -1> (a, , x)
    y = Identity (b)
  })",
                                   {{"N", 4}});
  ASSERT_EQ(graph.nodes.size(), 3u);
  EXPECT_EQ(graph.nodes[0].op_type, "LeakyRelu");
  EXPECT_EQ(graph.nodes[0].domain, "");
  EXPECT_EQ(std::get<double>(attribute(graph, 0, "alpha")), 0.25);
  EXPECT_EQ(graph.nodes[1].domain, "com.example");
  EXPECT_THAT(graph.nodes[1].inputs, ElementsAre("a", "", "x"));
  EXPECT_EQ(std::get<std::string>(attribute(graph, 1, "text")), "words");
  EXPECT_THAT(std::get<std::vector<double>>(attribute(graph, 1, "reals")), ElementsAre(0.5, -2.0));
  EXPECT_THAT(std::get<std::vector<std::string>>(attribute(graph, 1, "texts")), ElementsAre("a", "b"));
  EXPECT_EQ(std::get<std::int64_t>(attribute(graph, 1, "axis")), -1);
}

TEST(OnnxModel, ImportsTheOpsetAndEachDomain) {
  const onnx::ModelProto model =
      written(parse_model("f (float[N] x) => (float[N] y) { y = com.example.Twice (x) }", 18, {"task.yaml", 1, 0}), {{"N", 4}});
  std::map<std::string, std::int64_t> opsets;
  for (const auto& import : model.opset_import()) opsets[import.domain()] = import.version();
  EXPECT_THAT(opsets, ElementsAre(std::pair("", 18), std::pair("com.example", 1)));
}

/// Elements of each type, as reals or integers.
ConstantTensor constant(ElementType type) {
  ConstantTensor tensor{type, {3}, {}, {}};
  if (info(type).element_class == ElementClass::real) tensor.reals = {0.5, -2, 16};
  else tensor.integers = {0, 1, 1};
  return tensor;
}

TEST(OnnxModel, KeepsConstantsOfEachType) {
  for (int value = 0; value < 32; ++value) {
    const ElementTypeInfo* type = element_type_from_onnx(value);
    if (type == nullptr) continue;
    SCOPED_TRACE(type->onnx_name);
    Graph graph;
    graph.initializers["c"] = constant(type->type);
    graph.nodes.push_back({"Constant", "", {}, {"y"}, {{"value", constant(type->type)}}, {}});
    const Graph read = graph_from_proto(written(graph, {}).graph(), 17);
    for (const ConstantTensor& got : {read.initializers.at("c"), std::get<ConstantTensor>(attribute(read, 0, "value"))}) {
      EXPECT_EQ(got.type, type->type);
      EXPECT_EQ(got.shape, Shape{3});
      EXPECT_EQ(got.reals, constant(type->type).reals);
      EXPECT_EQ(got.integers, constant(type->type).integers);
    }
  }
}

TEST(OnnxModel, KeepsBodies) {
  const Graph graph = through_onnx(R"(f (float[N, C] x, float[C] start) => (float[C] last, float[N, C] y) {
    last, y = Scan <num_scan_inputs = 1, body = step (float[C] sum, float[C] row) => (float[C] next, float[C] out) {
      next = Add (sum, row)
      out = Identity (next)
    }> (start, x)
  })",
                                   {{"N", 4}, {"C", 2}});
  const auto& body = std::get<std::shared_ptr<const Graph>>(attribute(graph, 0, "body"));
  ASSERT_EQ(body->nodes.size(), 2u);
  EXPECT_EQ(body->nodes[0].op_type, "Add");
  EXPECT_EQ(body->inputs.at(1).name, "row");
  EXPECT_EQ(body->outputs.at(1).name, "out");
}

}  // namespace
}  // namespace assay::spec

// SPDX-License-Identifier: Apache-2.0
// FLOPs and bytes by hand. A multiplication, an addition and a function value count 1 each; bytes are those
// of the inputs and outputs of every node, in the model's own types.
#include "error_scale.h"
#include "model.h"

namespace assay::oracle {
namespace {

struct CostCase {
  const char* name;
  OneNode node;
  std::vector<Input> inputs;
  double flops;
};

void PrintTo(const CostCase& c, std::ostream* out) { *out << c.name; }

class Flops : public testing::TestWithParam<CostCase> {};

TEST_P(Flops, AreThoseOfTheFormula) {
  Cost cost;
  GetParam().node.run<double>(GetParam().inputs, &cost);
  EXPECT_EQ(cost.flops, GetParam().flops);
}

const Input kFourBySix = normal({4, 6}, 1), kSmallImage = normal({1, 2, 5, 5}, 2);

INSTANTIATE_TEST_SUITE_P(
    All, Flops,
    testing::Values(CostCase{"Add", OneNode("Add"), {kFourBySix, normal({6}, 3)}, 24}, CostCase{"Relu", OneNode("Relu"), {kFourBySix}, 24},
                    CostCase{"Sigmoid", OneNode("Sigmoid"), {kFourBySix}, 4 * 24}, CostCase{"Gelu", OneNode("Gelu"), {kFourBySix}, 5 * 24},
                    CostCase{"Sum", OneNode("Sum"), {kFourBySix, kFourBySix, kFourBySix}, 2 * 24},
                    CostCase{"MatMul", OneNode("MatMul"), {kFourBySix, normal({6, 5}, 3)}, 2 * 4 * 6 * 5},
                    CostCase{"Conv", OneNode("Conv"), {kSmallImage, normal({3, 2, 3, 3}, 3)}, 2 * (3 * 3 * 3) * (2 * 9)},
                    CostCase{"ConvTranspose", OneNode("ConvTranspose"), {kSmallImage, normal({2, 3, 3, 3}, 3)}, 2 * 50 * 27},
                    CostCase{"ReduceSum", OneNode("ReduceSum"), {kFourBySix, integers({1}, {1})}, 24},
                    CostCase{"Softmax", OneNode("Softmax"), {kFourBySix}, 5 * 24},
                    CostCase{"MaxPool", OneNode("MaxPool").with_list("kernel_shape", {2, 2}), {kSmallImage}, 2 * 16 * 4},
                    CostCase{"Transpose", OneNode("Transpose"), {kFourBySix}, 0},
                    CostCase{"Reshape", OneNode("Reshape"), {kFourBySix, integers({1}, {24})}, 0},
                    CostCase{"Gather", OneNode("Gather"), {kFourBySix, integers({1}, {2})}, 0},
                    CostCase{"DeformConv",
                             OneNode("DeformConv").opset(19),
                             {kSmallImage, normal({3, 2, 1, 1}, 3), uniform({1, 2, 5, 5}, 4, -1, 1)},
                             2 * 3 * 25 * 2 + 11 * 2 * 25},
                    CostCase{"SwiGLU", OneNode("SwiGLU").opset(28), {kFourBySix, kFourBySix}, 6 * 24},
                    CostCase{"TensorScatter", OneNode("TensorScatter").opset(24), {normal({1, 4, 6}, 1), normal({1, 2, 6}, 2)}, 0}),
    [](const auto& test) { return test.param.name; });

TEST(Bytes, AreInputsAndOutputsInTheirOwnTypes) {
  const auto bytes_of = [](const OneNode& node, const std::vector<Input>& inputs) {
    Cost cost;
    node.run<double>(inputs, &cost);
    return cost.bytes;
  };
  EXPECT_EQ(bytes_of(OneNode("Add"), {kFourBySix, normal({6}, 3)}), 4 * (24 + 6 + 24));
  EXPECT_EQ(bytes_of(OneNode("Less"), {kFourBySix, kFourBySix}), 4 * 48 + 24);
  EXPECT_EQ(bytes_of(OneNode("Cast").with("to", 2), {kFourBySix}), 4 * 24 + 24);
  EXPECT_EQ(bytes_of(OneNode("Gather"), {kFourBySix, integers({1}, {2})}), 4 * 24 + 8 + 4 * 6);
  // A view moves nothing.
  EXPECT_EQ(bytes_of(OneNode("Reshape"), {kFourBySix, integers({1}, {24})}), 0);
}

TEST(Bytes, OfAScatterIntoAnInputAreThoseOfItsUpdates) {
  const auto scattered = [](const std::string& node) {
    const Graph graph = model("f (float[N] x, int64[K] at, float[K] u) => (float[N] y) { " + node + " }");
    Cost cost;
    run<double>(graph, {normal({10}, 1), integers({3}, {0, 4, 7}), normal({3}, 2)}, &cost);
    return cost.scattered;
  };
  EXPECT_EQ(scattered("y = ScatterElements (x, at, u)"), 12);
  EXPECT_EQ(scattered("y = ScatterElements <reduction = \"add\"> (x, at, u)"), 24) << "which it reads first";
  EXPECT_EQ(scattered("a = Neg(x) y = ScatterElements (a, at, u)"), 0);
  EXPECT_EQ(scattered("a = ScatterElements (x, at, u) y = Neg(a)"), 0);
}

TEST(Bytes, AddUpOverNodesAndDoNotDependOnTheScalar) {
  const Graph two = model("f (float[N] x) => (float[N] y) { a = Neg(x) y = Add(a, x) }");
  Cost over_double, over_float, over_bounded;
  run<double>(two, {normal({10}, 1)}, &over_double);
  run<float>(two, {normal({10}, 1)}, &over_float);
  run<Bounded>(two, {normal({10}, 1)}, &over_bounded);
  EXPECT_EQ(over_double.bytes, 4 * (20 + 30));
  EXPECT_EQ(over_float.bytes, over_double.bytes);
  EXPECT_EQ(over_bounded.bytes, over_double.bytes);
  EXPECT_EQ(over_double.flops, 20);
}

}  // namespace
}  // namespace assay::oracle

// SPDX-License-Identifier: Apache-2.0
// Dimensions of extent 0: every operator that ONNX defines there gives an empty result, or a reduction's
// neutral element.
#include "numbers.h"
#include "one_node.h"

namespace assay::oracle {
namespace {

const Input kNone = reals({0, 3}, {}), kNoColumns = reals({2, 0}, {});

TEST(Empty, ReductionsGiveTheirNeutralElement) {
  const Input axis = integers({1}, {1});
  const std::pair<const char*, double> neutral[] = {{"ReduceSum", 0},    {"ReduceSumSquare", 0},  {"ReduceL1", 0},
                                                    {"ReduceL2", 0},     {"ReduceProd", 1},       {"ReduceMax", -kInf},
                                                    {"ReduceMin", kInf}, {"ReduceLogSum", -kInf}, {"ReduceLogSumExp", -kInf},
                                                    {"ReduceMean", kNaN}};
  for (const auto& [name, value] : neutral) {
    SCOPED_TRACE(name);
    expect(OneNode(name).opset(18), {kNoColumns, axis}, {2, 1}, {value, value});
    expect(OneNode(name).opset(18).with("keepdims", 0), {kNoColumns}, {}, {value});
    expect(OneNode(name).opset(18), {kNone, axis}, {0, 1}, {});
  }
  expect(OneNode("ReduceSum"), {integers({2, 0}, {}), axis}, {2, 1}, {0, 0});
  expect(OneNode("ReduceMax").opset(20), {integers({0}, {}, ElementType::i8), integers({1}, {0})}, {1}, {-128});
  expect(OneNode("ReduceMin").opset(20), {integers({0}, {}, ElementType::u8), integers({1}, {0})}, {1}, {255});
}

TEST(Empty, ElementsOfNothingAreNothing) {
  for (const char* name : {"Abs",       "Exp",     "Relu",       "Sigmoid",        "Gelu",   "Softplus",
                           "Floor",     "Sign",    "Elu",        "HardSwish",      "Mish",   "Swish",
                           "Identity",  "Softmax", "LogSoftmax", "Hardmax",        "IsNaN",  "Erf",
                           "Clip",      "Neg",     "Sqrt",       "Celu",           "Shrink", "ThresholdedRelu",
                           "LeakyRelu", "Selu",    "Softsign",   "LpNormalization"}) {
    SCOPED_TRACE(name);
    expect(OneNode(name).opset(24), {kNone}, {0, 3}, {});
    expect(OneNode(name).opset(24), {kNoColumns}, {2, 0}, {});
  }
  for (const char* name : {"Add", "Sub", "Mul", "Div", "Pow", "Max", "Min", "Sum", "Mean", "Equal", "Less", "PRelu"}) {
    SCOPED_TRACE(name);
    expect(OneNode(name), {kNone, reals({3}, {1, 2, 3})}, {0, 3}, {});
    expect(OneNode(name), {kNoColumns, reals({}, {1})}, {2, 0}, {});
  }
  expect(OneNode("Where"), {booleans({0, 1}, {}), reals({3}, {1, 2, 3}), reals({}, {1})}, {0, 3}, {});
  expect(OneNode("CumSum"), {kNone, integers({}, {0})}, {0, 3}, {});
  expect(OneNode("CumProd").opset(26), {kNoColumns, integers({}, {1})}, {2, 0}, {});
  expect(OneNode("Cast").with("to", 7), {kNone}, {0, 3}, {});
  expect(OneNode("Dropout"), {kNone}, {0, 3}, {});
}

TEST(Empty, LayoutKeepsWhatIsThere) {
  expect(OneNode("Concat").with("axis", 0), {kNone, reals({1, 3}, {1, 2, 3})}, {1, 3}, {1, 2, 3});
  expect(OneNode("Transpose"), {kNone}, {3, 0}, {});
  expect(OneNode("Reshape").with("allowzero", 1), {kNone, integers({2}, {5, 0})}, {5, 0}, {});
  expect(OneNode("Reshape"), {kNone, integers({2}, {0, 3})}, {0, 3}, {});
  expect(OneNode("Flatten"), {reals({2, 0, 3}, {})}, {2, 0}, {});
  expect(OneNode("Slice"), {reals({3}, {1, 2, 3}), integers({1}, {2}), integers({1}, {2})}, {0}, {});
  expect(OneNode("Gather"), {reals({2, 3}, {1, 2, 3, 4, 5, 6}), integers({0}, {})}, {0, 3}, {});
  expect(OneNode("GatherElements"), {reals({2, 3}, {1, 2, 3, 4, 5, 6}), integers({0, 3}, {})}, {0, 3}, {});
  expect(OneNode("GatherND"), {reals({2, 3}, {1, 2, 3, 4, 5, 6}), integers({0, 1}, {})}, {0, 3}, {});
  expect(OneNode("ScatterElements"), {reals({1, 2}, {1, 2}), integers({0, 2}, {}), reals({0, 2}, {})}, {1, 2}, {1, 2});
  expect(OneNode("ScatterND"), {reals({2}, {1, 2}), integers({0, 1}, {}), reals({0}, {})}, {2}, {1, 2});
  expect(OneNode("Expand"), {reals({1, 3}, {1, 2, 3}), integers({2}, {0, 3})}, {0, 3}, {});
  expect(OneNode("Tile"), {reals({2}, {1, 2}), integers({1}, {0})}, {0}, {});
  expect(OneNode("Pad"), {kNone, integers({4}, {1, 0, 0, 0})}, {1, 3}, {0, 0, 0});
  expect(OneNode("Split", 2).with("axis", 1), {reals({0, 4}, {})}, {0, 2}, {});
  expect(OneNode("Shape"), {kNone}, {2}, {0, 3});
  expect(OneNode("Size"), {kNone}, {}, {0});
  expect(OneNode("NonZero"), {kNone}, {2, 0}, {});
  expect(OneNode("OneHot"), {integers({0}, {}), integers({}, {3}), reals({2}, {0, 1})}, {0, 3}, {});
  expect(OneNode("Compress").with("axis", 0), {reals({2}, {1, 2}), booleans({2}, {0, 0})}, {0}, {});
  expect(OneNode("TopK", 2), {reals({0, 3}, {}), integers({1}, {2})}, {0, 2}, {});
  expect(OneNode("TopK", 2), {reals({2}, {1, 2}), integers({1}, {0})}, {0}, {});
  expect(OneNode("ArgMax").with("axis", 1), {kNone}, {0, 1}, {});
  expect(OneNode("Trilu"), {reals({0, 2, 2}, {})}, {0, 2, 2}, {});
  expect(OneNode("Squeeze"), {reals({0, 1}, {}), integers({1}, {1})}, {0}, {});
  expect(OneNode("Range"), {reals({}, {3}), reals({}, {3}), reals({}, {1})}, {0}, {});
  expect(OneNode("ConstantOfShape"), {integers({2}, {0, 2})}, {0, 2}, {});
}

TEST(Empty, ProductsOverNothingAreZero) {
  expect(OneNode("MatMul"), {kNoColumns, reals({0, 3}, {})}, {2, 3}, {0, 0, 0, 0, 0, 0});
  expect(OneNode("MatMul"), {kNone, reals({3, 2}, {1, 2, 3, 4, 5, 6})}, {0, 2}, {});
  expect(OneNode("Gemm"), {kNoColumns, reals({0, 1}, {}), reals({1}, {5})}, {2, 1}, {5, 5});
  expect(OneNode("Einsum").with("equation", "ij,jk->ik"), {kNoColumns, reals({0, 1}, {})}, {2, 1}, {0, 0});
  expect(OneNode("Conv"), {reals({0, 1, 3}, {}), reals({1, 1, 2}, {1, 1})}, {0, 1, 2}, {});
  expect(OneNode("MaxPool").with_list("kernel_shape", {2}), {reals({0, 1, 3}, {})}, {0, 1, 2}, {});
  expect(OneNode("AveragePool").with_list("kernel_shape", {2}), {reals({0, 1, 3}, {})}, {0, 1, 2}, {});
  expect(OneNode("GlobalAveragePool"), {reals({0, 2, 3}, {})}, {0, 2, 1}, {});
}

TEST(Empty, NormalisationsOfNoRowsAreEmpty) {
  const Input scale = reals({3}, {1, 1, 1});
  expect(OneNode("LayerNormalization"), {kNone, scale}, {0, 3}, {});
  expect(OneNode("RMSNormalization").opset(23), {kNone, scale}, {0, 3}, {});
  expect(OneNode("BatchNormalization"), {reals({0, 3, 2}, {}), scale, scale, scale, scale}, {0, 3, 2}, {});
  expect(OneNode("InstanceNormalization"), {reals({0, 3, 2}, {}), scale, scale}, {0, 3, 2}, {});
  expect(OneNode("Attention").opset(23), {reals({1, 1, 0, 2}, {}), reals({1, 1, 1, 2}, {1, 1}), reals({1, 1, 1, 2}, {1, 1})}, {1, 1, 0, 2},
         {});
  expect(OneNode("NonMaxSuppression"), {reals({1, 0, 4}, {}), reals({1, 1, 0}, {}), integers({1}, {3})}, {0, 3}, {});
  expect(OneNode("RoiAlign"), {reals({1, 1, 2, 2}, {1, 2, 3, 4}), reals({0, 4}, {}), integers({0}, {})}, {0, 1, 1, 1}, {});
  expect(OneNode("QuantizeLinear"), {kNone, reals({}, {1})}, {0, 3}, {});
}

}  // namespace
}  // namespace assay::oracle

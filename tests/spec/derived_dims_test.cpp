// SPDX-License-Identifier: Apache-2.0
// Extents and attributes that follow from dimensions: what a task makes of them, and mistakes at their place in the file.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "assay/oracle/evaluate.h"
#include "assay/spec/dim_expression.h"
#include "assay/spec/task.h"

namespace assay::spec {
namespace {

using oracle::Value;

/// Task f; `model` is lines 4 and 5 of its file.
std::string around(const std::string& model, const std::string& dims, const std::string& timing = "{N: 8, C: 128}",
                   const std::string& more = "") {
  return fmt::format("summary: A test.\ndifficulty: 1\nmodel: |\n  f {}\ndims: {{{}}}\ntiming: {{cpu: {{dims: {}}}}}\n{}", model, dims,
                     timing, more);
}

Task parse(const std::string& text) { return parse_task(text, {"/tasks/math/f/task.yaml"}); }

std::string error_of(const std::string& text) {
  try {
    parse(text);
  } catch (const SpecError& error) {
    return error.what();
  }
  return "no error";
}

const std::string kGlu = "(float[N, 2*C] x) => (float[N, C] y)\n  { a, b = Split <axis = 1> (x)\n    s = Sigmoid(b)\n    y = Mul(a, s) }";
const std::string kTwo = "N: [1, 4], C: [1, 64]";

/// 0, 1, 2, ...
Value<double> counting(Shape shape) {
  oracle::Tensor<double> tensor(std::move(shape));
  for (std::size_t i = 0; i < tensor.size(); ++i) tensor[i] = static_cast<double>(i);
  Value<double> value;
  value.elements = tensor;
  return value;
}

Value<double> truth() {
  oracle::Booleans tensor(Shape{});
  tensor[0] = 1;
  Value<double> value;
  value.type = ElementType::boolean;
  value.elements = tensor;
  return value;
}

using Values = std::vector<Value<double>>;

TEST(DerivedDims, FollowFromTheOthers) {
  const Task task = parse(around(kGlu, kTwo));
  EXPECT_EQ(task.free_dims, (std::vector<std::string>{"N", "C"}));
  EXPECT_EQ(task.dims, task.free_dims);
  EXPECT_EQ(concrete_shapes(task.model.inputs, {{"N", 3}, {"C", 5}}), (std::vector<Shape>{{3, 10}}));
}

TEST(DerivedDims, AreExpressionsInKernelH) {
  const std::string header =
      kernel_header(parse(around("(float[N, (C + 1) * 2 - 1, max(C, 3)] x) => (float[N,(C+1)*2-1,max(C,3)] y)\n"
                                 "  { y = Neg(x) }",
                                 kTwo)));
  EXPECT_THAT(header, testing::HasSubstr("/// in  x: float [N, (C+1)*2-1, max(C,3)], row-major\n"));
  EXPECT_THAT(header, testing::HasSubstr("/// out y: float [N, (C+1)*2-1, max(C,3)], row-major\n"));
  EXPECT_THAT(header, testing::HasSubstr("void f(const float* x, float* y, int64_t N, int64_t C);"));
}

TEST(DerivedDims, OverwriteInPlaceWhereTheyAreTheSame) {
  const Task task =
      parse(around("(float[N, 2*C] x) => (float[N, 2 * C] y)\n  { y = Neg(x) }", kTwo, "{N: 8, C: 128}", "in_place: {y: x}\n"));
  EXPECT_FALSE(task.has_own_buffer(0));
}

TEST(DerivedDims, CountElementsOfTheUsualCases) {
  const Task task = parse(around("(float[N, 64*C] x) => (float[N, 64*C] y)\n  { y = Neg(x) }", "N: [1, 64], C: [1, 1024]"));
  for (const Case& entry : task.cases) {
    if (entry.name != "largest_extents") continue;
    EXPECT_LE(entry.dims.at("N").high * entry.dims.at("C").high * 64, 1 << 17);
  }
}

TEST(DerivedDims, AreBoundAndComparedByShapes) {
  const Task task = parse(around(kGlu, kTwo));
  std::vector<TensorSpec> specs = task.model.inputs;
  specs.push_back(task.model.outputs[0]);
  EXPECT_EQ(oracle::bind_dims(specs, {{3, 10}, {3, 5}}, {}), (Dims{{"N", 3}, {"C", 5}}));
  EXPECT_THROW(oracle::bind_dims(specs, {{3, 11}, {3, 5}}, {}), std::invalid_argument);
  EXPECT_THROW(oracle::bind_dims(specs, {{3, 10}, {3, 5}}, {{"C", 6}}), std::invalid_argument);
}

TEST(DimAttributes, HaveTheValueOfTheirDimensions) {
  const Task task =
      parse(around("(float[N, G*C, H, W] x, float[G*M, C, 1, 1] w) => (float[N, G*M, H, W] y)\n"
                   "  { y = Conv <group = G, kernel_shape = [1, 1]> (x, w) }",
                   "N: [1, 2], C: [1, 4], H: [1, 8], W: [1, 8], G: [1, 4], M: [1, 4]", "{N: 8, C: 8, H: 8, W: 8, G: 2, M: 2}"));
  EXPECT_EQ(task.free_dims, (std::vector<std::string>{"N", "G", "C", "H", "W", "M"}));
  const Dims dims{{"N", 1}, {"G", 2}, {"C", 1}, {"H", 1}, {"W", 1}, {"M", 1}};
  const Values inputs{counting({1, 2, 1, 1}), counting({2, 1, 1, 1})};
  const auto outputs = evaluate<double>(task.model, dims, inputs);
  EXPECT_EQ(std::get<oracle::Tensor<double>>(outputs[0].elements)[1], 1) << "each group has its own channel";
  EXPECT_THROW(evaluate<double>(task.model, inputs), SpecError) << "without dimensions it has no value";
}

TEST(DimAttributes, MayBeListsAndStandInBodies) {
  const Task list =
      parse(around("(float[N, 2*C] x) => (float[N, C, 2] y)\n"
                   "  { s = Constant <value_ints = [N, C, 4/2]> ()\n    y = Reshape(x, s) }",
                   kTwo));
  const auto shaped = evaluate<double>(list.model, Dims{{"N", 1}, {"C", 3}}, Values{counting({1, 6})});
  EXPECT_EQ(shaped[0].shape(), (Shape{1, 3, 2}));
  const Task body =
      parse(around("(bool c, float[N, C] x) => (float[N, C] y)\n"
                   "  { y = If <then_branch = a () => (float[N, C] p) { k = Constant <value_int = N + C> ()\n"
                   "      f = Cast <to = 1> (k)\n      p = Add(x, f) },\n"
                   "      else_branch = b () => (float[N, C] q) { q = Neg(x) }> (c) }",
                   kTwo));
  const auto added = evaluate<double>(body.model, Dims{{"N", 1}, {"C", 2}}, Values{truth(), counting({1, 2})});
  EXPECT_EQ(std::get<oracle::Tensor<double>>(added[0].elements)[1], 4);
}

TEST(DimAttributes, NameDimensionsOfNoInput) {
  const Task task = parse(around("(float[N, C] x) => (float[F*N, C] y)\n  { r = Constant <value_ints = [F, 1]> ()\n    y = Tile(x, r) }",
                                 kTwo + ", F: [1, 3]", "{N: 8, C: 128, F: 2}"));
  EXPECT_EQ(task.free_dims, (std::vector<std::string>{"N", "C", "F"}));
  EXPECT_THAT(kernel_signature(task), testing::HasSubstr("int64_t N, int64_t C, int64_t F"));
}

TEST(DimAttributes, AreComparedByTheirText) {
  const std::string dims = "N: [1, 2], G: [1, 2], C: [1, 4]", timing = "{N: 8, C: 128, G: 4}";
  const auto of = [&](const std::string& group) {
    const std::string model =
        "(float[N, G*C, 8] x, float[G*C, 1, 3] w) => (float[N, G*C, 6] y)\n  { y = Conv <group = " + group + "> (x, w) }";
    return std::get<DimAttribute>(parse(around(model, dims, timing)).model.nodes[0].attributes.at("group"));
  };
  EXPECT_TRUE(of("G * C") == of("G*C"));
  EXPECT_FALSE(of("G*C") == of("C*G"));
}

TEST(DimExpressions, LeaveLiteralsAndOtherAttributesAlone) {
  const Task task =
      parse(around("(float[N, (2*C)] x) => (float[N, (2 * C)] y)\n"
                   "  { a = LeakyRelu <alpha = 1e-2> (x)\n    b = Mul(a, 0.5)\n    c = Constant <value = float[2] {1, 2}> ()\n"
                   "    d = ReduceSum <keepdims = 0> (c)\n    y = Add(b, d) }",
                   kTwo));
  EXPECT_EQ(std::get<double>(task.model.nodes[0].attributes.at("alpha")), static_cast<double>(1e-2F));
  EXPECT_EQ(task.model.nodes[1].op_type, "Constant");
}

struct Mistake {
  const char* name;
  std::string text;
  const char* message;
};

void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.name; }

class DerivedDimsMistake : public testing::TestWithParam<Mistake> {};

TEST_P(DerivedDimsMistake, IsReportedAtItsPlace) { EXPECT_THAT(error_of(GetParam().text), testing::HasSubstr(GetParam().message)); }

std::string extent(const std::string& expression, const std::string& dims = kTwo, const std::string& timing = "{N: 8, C: 128}") {
  return around(fmt::format("(float[N, C, {0}] x) => (float[N, C, {0}] y)\n  {{ y = Neg(x) }}", expression), dims, timing);
}

std::string groups(const std::string& group, const std::string& dims = "") {
  return around(fmt::format("(float[N, C, 8] x, float[C, 1, 3] w) => (float[N, C, 6] y)\n  {{ y = Conv <group = {}> (x, w) }}", group),
                kTwo + dims);
}

INSTANTIATE_TEST_SUITE_P(
    All, DerivedDimsMistake,
    testing::Values(
        Mistake{
            "NotWhole", extent("C/2"),
            "task.yaml:4:18: model: dims: extent C/2: a quotient that is not whole. got: C / 2 with C=1. do: choose ranges of C of which "
            "every combination gives a whole number above 0"},
        Mistake{"NotWholeAtSomeCombination", extent("5*C/N", "N: [1, 4], C: [2, 64, 2]", "{N: 4, C: 128}"),
                "extent 5*C/N: a quotient that is not whole. got: 5 * C / N with C=2 N=3"},
        Mistake{"NotWholeWhereItIsTimed", extent("C/2", "N: [1, 4], C: [2, 64, 2]", "{N: 8, C: 127}"),
                "task.yaml:4:18: model: timing: cpu: extent C/2: a quotient that is not whole. got: C / 2 with C=127"},
        Mistake{"Negative", extent("C-8"), "task.yaml:4:18: model: dims: extent C-8: must be at least 1. got: C - 8 = -7 with C=1. do: "},
        Mistake{"Zero", extent("C - N", "N: 1, C: [1, 64]"), "extent C-N: must be at least 1. got: C - N = 0 with"},
        Mistake{"Overflow", extent("C*4611686018427387904", "N: 1, C: [4, 8]"), "overflow of 64 bits"},
        Mistake{"DivisionByZero", extent("C/0"), "task.yaml:4:19: model: extent C/0: division by zero"},
        Mistake{"NoCountableShape", extent("C*1099511627776", "N: [1, 8], C: [1048576, 2097152]", "{N: 1048576, C: 1048576}"),
                "no machine holds 'x'"},
        Mistake{"NoRange", extent("2*D", kTwo, "{N: 8, C: 128, D: 3}"), "dims: 'D' has no range"},
        Mistake{"NoExpression", extent("2*"),
                "task.yaml:4:20: model: extent 2*: expected a number, a dimension or '('. got: its end. do: "},
        Mistake{"TwoExpressions", extent("C D"), "task.yaml:4:20: model: extent CD: expected an operator or its end. got: 'D'"},
        Mistake{"NoCharacterOfIt", extent("C^2"), "task.yaml:4:19: model: an expression has no such character. got: '^'"},
        Mistake{"Signed", extent("-C"), "task.yaml:4:18: model: extent -C: expected a number, a dimension or '('. got: '-'"},
        Mistake{"BadRangeOfACase", around(kGlu, kTwo, "{N: 8, C: 128}", "cases: [{name: odd, dims: {N: 2, D: 5}}]\n"),
                "'D' is not a dimension of an input"},
        Mistake{"CaseOfNoWholeExtent", extent("C/2", "N: [1, 4], C: [2, 64, 2]", "{N: 8, C: 128}") + "cases: [{name: odd, dims: {C: 5}}]\n",
                "task.yaml:4:18: model: case 'odd': extent C/2: a quotient that is not whole. got: C / 2 with C=5"},
        Mistake{"OutputOfAnUnknownDimension", around("(float[N, C] x) => (float[N, 2*K] y)\n  { y = Neg(x) }", kTwo),
                "task.yaml:4:34: model: extent 2*K names 'K', which is no dimension of an input. do: give it a range in dims. known: N C"},
        Mistake{"AttributeOfAnUnknownDimension", groups("G"),
                "task.yaml:5:23: model: attribute 'group' names 'G', which is no dimension of an input. do: give it a range in dims. "
                "known: N C"},
        Mistake{"AttributeThatIsNotWhole", groups("C/2"), "task.yaml:5:23: model: dims: attribute 'group': a quotient that is not whole"},
        Mistake{"AttributeOfAnotherKind", around("(float[N, C] x) => (float[N, C] y)\n  { y = LeakyRelu <alpha = C> (x) }", kTwo),
                "task.yaml:5:9: model: Mismatched attribute type"},
        Mistake{"AttributeWithoutAComma", around("(float[N, C] x) => (float[N, C] y)\n  { y = Softmax <axis = 1 keepdims = 0> (x) }", kTwo),
                "task.yaml:5:36: model: an expression has no such character. got: '='. do: write a number, a dimension, or an expression"},
        Mistake{"SyntaxBehindAnExpression", around("(float[2*C, 2*N] x) => (float[2*C, 2*N] y)\n  { y = Neg(x }", kTwo),
                "task.yaml:5:15: model: "}),
    [](const auto& test) { return test.param.name; });

TEST(DerivedAttributes, ATextThatEndsInsideOneIsAnError) {
  for (const std::string value : {"body (float[N] s", "body (", "body", "2*", "[2*C"})
    EXPECT_NE(error_of(around("(float[N] x) => (float[N] y) { y = Scan <body = " + value, "N: [1, 4]", "{N: 8}")), "no error") << value;
}

}  // namespace
}  // namespace assay::spec

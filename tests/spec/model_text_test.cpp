// SPDX-License-Identifier: Apache-2.0
// Models of every supported opset parse, and what is wrong with one is reported at its line: by libonnx up to
// the opset that it knows, by the operator's own definition above.
#include "model_text.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "assay/oracle/evaluate.h"
#include "assay/spec/error.h"

namespace assay::spec {
namespace {

/// y = <node>, over float[2] x, its node at task.yaml:12:9.
std::string around(const std::string& node) { return "f (float[N] x) => (float[N] y)\n{\n  y = " + node + "\n}"; }

Graph parse(const std::string& text, int opset) {
  Graph graph = parse_model(text, opset, {"task.yaml", 10, 2});
  oracle::require_known_operators(graph);
  return graph;
}

oracle::Value<double> input(std::vector<double> elements) {
  oracle::Tensor<double> tensor({static_cast<std::int64_t>(elements.size())});
  std::copy(elements.begin(), elements.end(), tensor.begin());
  return {ElementType::f32, tensor};
}

/// What goes wrong with the model, when it is read or when it is evaluated on {1, 4}.
std::string error_of(const std::string& text, int opset) {
  try {
    oracle::evaluate<double>(parse(text, opset), {input({1, 4})});
  } catch (const std::exception& error) {
    return error.what();
  }
  return "no error";
}

std::vector<double> result_of(const std::string& text, int opset) {
  const auto outputs = oracle::evaluate<double>(parse(text, opset), {input({1, 4})});
  const auto& y = std::get<oracle::Tensor<double>>(outputs[0].elements);
  return {y.begin(), y.end()};
}

TEST(ModelText, ParsesEveryOpsetAndKeepsItsMeaning) {
  for (int opset = 13; opset <= 28; ++opset) EXPECT_EQ(result_of(around("Sqrt(x)"), opset), (std::vector<double>{1, 2})) << opset;
  // The axes of ReduceMean are an attribute before opset 18 and an input from there on.
  EXPECT_EQ(result_of(around("ReduceMean <axes = [0]> (x)"), 17), (std::vector<double>{2.5}));
  const std::string by_input =
      "f (float[N] x) => (float[1] y)\n{\n  a = Constant <value = int64[1] {0}> ()\n  y = ReduceMean(x, "
      "a)\n}";
  EXPECT_EQ(result_of(by_input, 18), (std::vector<double>{2.5}));
  EXPECT_THAT(error_of(by_input, 17), testing::HasSubstr("task.yaml:13:9: model:"));
  EXPECT_EQ(result_of(around("Swish(x)"), 24).size(), 2U);
}

TEST(ModelText, AnOperatorIsThereFromItsOpsetOn) {
  EXPECT_THAT(error_of(around("Swish(x)"), 17),
              testing::HasSubstr("task.yaml:12:9: model 'f': operator Swish is there from opset 24 on, got "
                                 "opset 17. do: say 'opset: 24'"));
}

TEST(ModelText, UnknownOperatorsInBodiesHaveTheirOwnLine) {
  const std::string text =
      "f (bool c, float[N] x) => (float[N] y)\n{\n  y = If <then_branch = a () => (float[N] p) {\n    p = "
      "Neg(x)\n  },\n"
      "          else_branch = b () => (float[N] q) {\n    q = Negg(x)\n  }> (c)\n}";
  EXPECT_THAT(error_of(text, 22), testing::HasSubstr("task.yaml:16:11: model 'f': operator 'Negg' is unknown"));
}

TEST(ModelText, BodiesReadOnlyWhatIsWritten) {
  const std::string text =
      "f (bool c, float[N] x) => (float[N] y)\n{\n  y = If <then_branch = a () => (float[N] p) { p = Neg(z) "
      "},\n"
      "          else_branch = b () => (float[N] q) { q = Neg(x) }> (c)\n  z = Neg(x)\n}";
  EXPECT_THAT(error_of(text, 22), testing::HasSubstr("Neg reads 'z', which nothing before it writes"));
}

TEST(ModelText, ABodyWithoutNodesHasThePlaceOfItsNode) {
  const std::string text =
      "f (bool c, float[N] x) => (float[N] y)\n{\n  y = If <then_branch = a () => (float[N] p) { }, else_branch = b () => (float[N] q) "
      "{ q = Neg(x) }> (c)\n}";
  EXPECT_THAT(error_of(text, 22), testing::HasSubstr("task.yaml:12:9: model: output 'p' is never written"));
}

TEST(ModelText, ConstantsFitTheTypeThatTheyAreCastTo) {
  const auto with = [](const char* number) {
    return fmt::format(
        "f (float[N] x) => (float16[N] y)\n{{\n  c = Constant <value = float {{{}}}> ()\n  h = Cast <to = 10> (c)\n"
        "  z = Cast <to = 10> (x)\n  y = Add(z, h)\n}}",
        number);
  };
  EXPECT_THAT(error_of(with("70000.0"), 17),
              testing::HasSubstr("task.yaml:13:9: model: Cast: constant 'c' holds 70000, beyond the range of float16"));
  EXPECT_EQ(result_of(with("2.0"), 17), (std::vector<double>{3, 6}));
}

struct Mistake {
  const char* name;
  std::string node;
  int opset;
  const char* message;
};

void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.name; }

class ModelMistake : public testing::TestWithParam<Mistake> {};

TEST_P(ModelMistake, NamesLineAndOperator) {
  EXPECT_THAT(error_of(around(GetParam().node), GetParam().opset), testing::HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    All, ModelMistake,
    testing::Values(
        Mistake{"UnknownOperator", "Sqroot(x)", 22, "task.yaml:12:9: model 'f': operator 'Sqroot' is unknown"},
        Mistake{"MisspeltAttribute17", "LeakyRelu <alfa = 0.5> (x)", 17, "task.yaml:12:9: model: Unrecognized attribute: alfa"},
        Mistake{"MisspeltAttribute22", "LeakyRelu <alfa = 0.5> (x)", 22,
                "task.yaml:12:9: operator LeakyRelu: attribute 'alfa' is unknown at opset 22. do: check its "
                "spelling, or remove it"},
        Mistake{"AttributeType17", "Softmax <axis = 0.5> (x)", 17, "task.yaml:12:9: model:"},
        Mistake{"AttributeType22", "Softmax <axis = 0.5> (x)", 22,
                "task.yaml:12:9: operator Softmax: attribute 'axis' must be an integer, got a float"},
        Mistake{"RequiredAttribute22", "Concat(x)", 22, "task.yaml:12:9: operator Concat: attribute 'axis' is required"},
        Mistake{"TooManyInputs22", "Sqrt(x, x)", 22, "task.yaml:12:9: operator Sqrt: input 1 ('x') has no use at opset 22"},
        Mistake{"TooFewInputs22", "Add(x)", 22, "task.yaml:12:9: operator Add: input 1 is missing"},
        Mistake{"ElementType22", "Not(x)", 22, "task.yaml:12:9: operator Not: input 0 must be a boolean tensor, got float"},
        Mistake{"ShapesDoNotFit22", "MatMul(x, y0)", 22, "task.yaml:12:9: model: MatMul reads 'y0', which nothing before it writes"},
        Mistake{"AxisOutside22", "Softmax <axis = 3> (x)", 22, "task.yaml:12:9: operator Softmax: axis 3 is outside a tensor of rank 1"}),
    [](const auto& test) { return test.param.name; });

TEST(ModelText, AnOutputThatIsNotMadeIsAnError) {
  EXPECT_THAT(error_of("f (float[N] x) => (float[N] y)\n{\n  y, z = Sqrt(x)\n}", 22),
              testing::HasSubstr("task.yaml:12:12: operator Sqrt: output 1 ('z') is not produced"));
}

TEST(ModelText, ShapesThatDoNotFitAreNamed) {
  const std::string text =
      "f (float[N] x) => (float[N] y)\n{\n  three = Constant <value = float[3] {1.0, 2.0, 3.0}> ()\n  y = "
      "Add(x, three)\n}";
  EXPECT_THAT(error_of(text, 22), testing::HasSubstr("task.yaml:13:9: operator Add: shapes do not broadcast: extent 2 against 3"));
}

const bool defined = oracle::define({"Thing", oracle::Specials::nan, 1, "local"}, [](auto& call) {
  using T = typename std::decay_t<decltype(call)>::Scalar;
  const T factor = static_cast<T>(call.real("factor", 2.0));
  auto& y = call.template output_like<T>(0, call.shape(0));
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = factor * call.reals(0)[i];
});

TEST(ModelText, OperatorsOfOtherDomainsParse) {
  ASSERT_TRUE(defined);
  for (const int opset : {13, 17, 22}) {
    EXPECT_EQ(result_of(around("local.Thing(x)"), opset), (std::vector<double>{2, 8}));
    EXPECT_EQ(result_of(around("local.Thing <factor = 3.0> (x)"), opset), (std::vector<double>{3, 12}));
    EXPECT_THAT(error_of(around("local.Thing <facter = 3.0> (x)"), opset),
                testing::HasSubstr("task.yaml:12:15: operator Thing: attribute 'facter' is unknown"));
    EXPECT_THAT(error_of(around("local.Other(x)"), opset), testing::HasSubstr("operator 'Other' is unknown"));
  }
}

}  // namespace
}  // namespace assay::spec

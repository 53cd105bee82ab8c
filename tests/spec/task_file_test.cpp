// SPDX-License-Identifier: Apache-2.0
// Every mistake in a task.yaml is reported with its file, line and column, and says what to do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "assay/oracle/evaluate.h"
#include "assay/spec/task.h"
#include "temporary_folder.h"

namespace assay::spec {
namespace {

namespace fs = std::filesystem;

class TaskFile : public testing::Test {
 protected:
  TaskFile() { fs::create_directories(root_ / "activation/twice"); }

  fs::path write(const std::string& text) const {
    const fs::path file = root_ / "activation/twice/task.yaml";
    std::ofstream(file) << text;
    return file;
  }
  Task load(const std::string& text) const { return load_task(write(text)); }
  std::string error_of(const std::string& text) const {
    try {
      const Task task = load(text);
      oracle::require_known_operators(task.model);
    } catch (const SpecError& error) {
      return error.what();
    }
    return "no error";
  }

 private:
  TemporaryFolder root_;
};

constexpr const char* kGood = R"(summary: Twice the input.
difficulty: 1
suites: [ours]
model: |
  twice (float[N, C] x) => (float[N, C] y)
  {
    two = Constant <value = float {2.0}> ()
    y = Mul(x, two)
  }
dims: {N: [1, 4], C: [1, 64]}
timing:
  cpu: {dims: {N: 8, C: 128}}
)";

std::string with(const std::string& from, const std::string& to) {
  std::string text = kGood;
  text.replace(text.find(from), from.size(), to);
  return text;
}

TEST_F(TaskFile, ReadsAGoodTask) {
  const Task task = load(kGood);
  EXPECT_EQ(task.name, "twice");
  EXPECT_EQ(task.category, "activation");
  EXPECT_EQ(task.suites, (SuiteRows{{"ours", {}}}));
  EXPECT_EQ(task.dims, (std::vector<std::string>{"N", "C"}));
  EXPECT_EQ(task.model.nodes.at(1).op_type, "Mul");
  EXPECT_EQ(task.model.nodes.at(1).location.line, 8);
  EXPECT_EQ(task.model.nodes.at(1).location.column, 9);
  ASSERT_EQ(task.timing.at("cpu").size(), 1u);
  EXPECT_EQ(task.timing.at("cpu")[0].at("C").low, 128);
  EXPECT_TRUE(task.timing.at("cpu")[0].at("C").constant());
}

/// A model with `count` tensors: its inputs, and their sum.
std::string sum_of_inputs(int count) {
  std::string inputs, sum;
  for (int i = 1; i < count; ++i) {
    inputs += (i > 1 ? ", float[N, C] x" : "float[N, C] x") + std::to_string(i);
    sum += (i > 1 ? ", x" : "x") + std::to_string(i);
  }
  return "summary: A sum.\ndifficulty: 1\nmodel: |\n  twice (" + inputs + ") => (float[N, C] y)\n  { y = Sum(" + sum +
         ") }\ndims: {N: [1, 4], C: [1, 64]}\ntiming: {cpu: {dims: {N: 8, C: 128}}}\n";
}

TEST_F(TaskFile, HasAtMost1024Tensors) {
  EXPECT_EQ(load(sum_of_inputs(1024)).model.inputs.size(), 1023u);
  EXPECT_THAT(error_of(sum_of_inputs(1025)),
              testing::HasSubstr("task.yaml:3:8: model: has 1025 inputs and outputs, at most 1024. do: pack parameters"));
}

/// What libonnx would say of a task was said when it was checked; everything else is still an error.
TEST_F(TaskFile, IsReadAgainWithoutLibonnxsChecks) {
  const std::string unknown_attribute = with("Mul(x, two)", "Mul <alfa = 1.0> (x, two)");
  EXPECT_THAT(error_of(unknown_attribute), testing::HasSubstr("Unrecognized attribute: alfa"));
  EXPECT_EQ(load_checked_task(write(unknown_attribute)).model.nodes.size(), load(kGood).model.nodes.size());
  EXPECT_THROW(load_checked_task(write(with("Mul(x, two)", "Mul(x, three)"))), SpecError);
}

TEST_F(TaskFile, TimesSeveralShapesAndRanges) {
  const Task task = load(with("cpu: {dims: {N: 8, C: 128}}", "cpu: [{dims: {N: 8, C: 128}}, {dims: {N: [1, 9, 4], C: 3}}]"));
  ASSERT_EQ(task.timing.at("cpu").size(), 2u);
  const DimRange drawn = task.timing.at("cpu")[1].at("N");
  EXPECT_EQ(drawn.low, 1);
  EXPECT_EQ(drawn.high, 9);
  EXPECT_EQ(drawn.step, 4);
}

TEST_F(TaskFile, GivesTheUsualCases) {
  const Task task = load(kGood);
  std::vector<std::string> names;
  for (const Case& entry : task.cases) names.push_back(entry.name);
  EXPECT_THAT(names,
              testing::ElementsAre("smallest", "below_power_of_two", "at_power_of_two", "above_power_of_two", "special", "log_uniform",
                                   "large", "largest", "subnormal", "cancellation", "ties", "sorted", "reversed", "spikes",
                                   "largest_extents", "timed_c", "timed_n", "drawn_1", "drawn_2", "drawn_3", "long_c", "long_n"));
  EXPECT_EQ(task.cases[0].dims.at("C").high, 1);
  EXPECT_EQ(task.cases[1].dims.at("C").low, 31);
  EXPECT_EQ(task.cases[2].dims.at("C").low, 32);
  EXPECT_EQ(task.cases[3].dims.at("C").low, 33);
  EXPECT_EQ(task.cases[4].inputs.at("x").kind, "special");
  EXPECT_EQ(task.cases[4].dims.at("C").high, 15);
  EXPECT_EQ(task.cases[5].inputs.at("x").numbers.at("high"), 60);
  EXPECT_EQ(task.cases[14].dims.at("C").low, 64);
  EXPECT_EQ(task.cases[14].inputs.at("x").kind, "mixed");
  EXPECT_EQ(task.cases[15].dims.at("C").low, 128);  // as it is timed
  EXPECT_EQ(task.cases[15].dims.at("N").high, 4);
  EXPECT_EQ(task.cases[16].dims.at("N").low, 8);
  EXPECT_EQ(task.cases[16].dims.at("C").high, 5);
  EXPECT_EQ(task.cases[17].dims.at("C").high, 64);
  EXPECT_EQ(task.cases[20].dims.at("C").low, 263);
  EXPECT_EQ(task.cases[20].dims.at("N").high, 3);
  EXPECT_EQ(task.cases[21].dims.at("N").low, 263);
}

TEST_F(TaskFile, HasALongCaseForEachDimensionThatIsShortElsewhereAndCanBeLong) {
  const auto long_ones = [&](const std::string& text) {
    std::vector<std::string> names;
    for (const Case& entry : load(text).cases)
      if (entry.name.starts_with("long_")) names.push_back(entry.name);
    return names;
  };
  using testing::ElementsAre;
  EXPECT_THAT(long_ones(with("cpu: {dims: {N: 8, C: 128}}", "cpu: {dims: {N: 8, C: 263}}")), ElementsAre("long_n"));
  EXPECT_THAT(long_ones(std::string(kGood) + "cases:\n  - {name: own, dims: {N: 300, C: 1}}\n"), ElementsAre("long_c"));
  EXPECT_THAT(long_ones(std::string(kGood) + "cases:\n  - {name: long_c, dims: {N: 2, C: 7}}\n"), ElementsAre("long_c", "long_n"));
  EXPECT_THAT(long_ones(std::string(kGood) + "replace_cases: N must be odd\ncases:\n  - {name: only, dims: {N: 3, C: 3}}\n"),
              testing::IsEmpty());
  // Of distinct positions below N there are no more than N.
  EXPECT_THAT(long_ones(R"(summary: s
difficulty: 1
model: |
  twice (float[N] x, int64[M] places) => (float[M] y)
  { y = Gather(x, places) }
inputs: {places: {init: index, of: N, distinct: true}}
dims: {N: [60, 70], M: [1, 9]}
timing: {cpu: {dims: {N: 100, M: 50}}}
)"),
              ElementsAre("long_n"));
}

TEST_F(TaskFile, ReadsABoundFactorWithItsReason) {
  EXPECT_EQ(load(std::string(kGood) + "bounds: {y: {factor: 9, why: a table lookup}}\n").bound_factors.at("y"), 9);
  EXPECT_THAT(error_of(std::string(kGood) + "bounds: {y: {factor: 9}}\n"), testing::HasSubstr("bounds: y"));
  EXPECT_THAT(error_of(std::string(kGood) + "bounds: {y: {factor: 0.5, why: no}}\n"),
              testing::HasSubstr("factor must be 1 to 32, got 0.5"));
  EXPECT_THAT(error_of(std::string(kGood) + "bounds: {z: {factor: 9, why: no}}\n"), testing::HasSubstr("unknown key 'z'"));
}

TEST_F(TaskFile, AnOwnCaseReplacesTheUsualOneOfItsName) {
  const Task task = load(std::string(kGood) + "cases:\n  - {name: smallest, dims: {C: 3}}\n");
  ASSERT_EQ(task.cases.size(), 22u);
  const Case& own = task.cases[19];
  EXPECT_EQ(own.name, "smallest");
  EXPECT_EQ(own.dims.at("C").low, 3);
  EXPECT_EQ(own.dims.at("N").high, 4);
}

TEST_F(TaskFile, ReplaceCasesLeavesOnlyTheOwn) {
  const Task task = load(std::string(kGood) + "replace_cases: N must be odd\ncases:\n  - {name: only, dims: {N: 3, C: 3}}\n");
  ASSERT_EQ(task.cases.size(), 1u);
}

TEST_F(TaskFile, SaysWhichInputsAreWrittenOver) {
  const Task task = load(std::string(kGood) + "in_place: {y: x}\n");
  EXPECT_FALSE(task.has_own_buffer(0));
  EXPECT_TRUE(task.is_overwritten(0));
  EXPECT_EQ(task.buffer_name(0), "x");
  EXPECT_EQ(load(kGood).buffer_name(0), "y");
}

struct Mistake {
  const char* name;
  std::string text;
  const char* message;  // what the error must contain, beginning with the place
};

void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.name; }

class TaskMistake : public TaskFile, public testing::WithParamInterface<Mistake> {};

TEST_P(TaskMistake, IsReportedAtItsPlace) { EXPECT_THAT(error_of(GetParam().text), testing::HasSubstr(GetParam().message)); }

INSTANTIATE_TEST_SUITE_P(
    All, TaskMistake,
    testing::Values(
        Mistake{"NotYaml", "summary: [\n", "task.yaml:2:1: not YAML"}, Mistake{"NotAMapping", "- a\n", "task.yaml:1:1: must be a mapping"},
        Mistake{"UnknownKey", std::string(kGood) + "colour: red\n", "task.yaml:13:1: task.yaml: unknown key 'colour'. known: summary"},
        Mistake{"NoSummary", with("summary: Twice the input.\n", ""), "key 'summary' is missing"},
        Mistake{"Difficulty", with("difficulty: 1", "difficulty: 9"), "task.yaml:2:13: difficulty: must be 1 to 5, got 9"},
        Mistake{"DifficultyBeyondAnInt", with("difficulty: 1", "difficulty: 4294967297"),
                "task.yaml:2:13: difficulty: must be 1 to 5, got 4294967297"},
        Mistake{"SummaryOfTwoLines", with("summary: Twice the input.", "summary: \"Twice\\nint x;\""),
                "task.yaml:1:10: summary: must be one line"},
        Mistake{"KeyThatIsAList", std::string(kGood) + "[a, b]: c\n", "task.yaml:13:1: "},
        Mistake{"NumberBeyond64Bits", with("Mul(x, two)", "Softmax <axis = 99999999999999999999> (x)"),
                "model: not the ONNX text syntax: a number is out of range"},
        Mistake{"AttributeTwice", with("Mul(x, two)", "Softmax <axis = 1, axis = 1> (x)"),
                "model: Softmax: attribute 'axis' is given twice"},
        Mistake{"HugeExtent", with("C: [1, 64]", "C: [1, 9223372036854775807]"), "dims: C: must be at most 1099511627776"},
        Mistake{"HugeFixedExtent", with("C] x) => (float[N, C] y)", "9223372036854775807] x) => (float[N, 9223372036854775807] y)"),
                "'x' has the extent 9223372036854775807"},
        Mistake{"NoMachineHoldsIt", with("dims: {N: 8, C: 128}", "dims: {N: 1099511627776, C: 1099511627776}"),
                "timing: cpu: no machine holds 'x' of shape [1099511627776, 1099511627776]"},
        Mistake{"HugeConstant", with("Mul(x, two)", "Constant <value = float[4294967296, 4294967296] {1}> ()"),
                "no tensor has the shape [4294967296, 4294967296]"},
        Mistake{"DeepNesting", with("Mul(x, two)", std::string(40, '{')), "model: braces are nested more than 32 deep"},
        Mistake{"DifficultyText", with("difficulty: 1", "difficulty: hard"), "task.yaml:2:13: difficulty: must be an integer, got 'hard'"},
        Mistake{"InPlaceOfNoOutput", std::string(kGood) + "in_place: {z: x}\n", "task.yaml:13:12: in_place: the model has no output 'z'"},
        Mistake{"InPlaceOfNoInput", std::string(kGood) + "in_place: {y: two}\n", "task.yaml:13:15: in_place: the model has no input 'two'"},
        Mistake{"InPlaceOfAnotherShape", with("[N, C] y)", "[C, N] y)") + "in_place: {y: x}\n",
                "task.yaml:13:12: in_place: 'y' has another type or shape than 'x'. do: give both the same"},
        Mistake{"InPlaceTwice", with("[N, C] y)\n  {", "[N, C] y, float[N, C] z)\n  {\n    z = Identity(x)") + "in_place: {y: x, z: x}\n",
                "task.yaml:14:21: in_place: 'x' is overwritten twice"},
        Mistake{"Opset", with("model: |", "opset: 99\nmodel: |"), "task.yaml:4:8: opset: must be 13 to 28, got 99"},
        Mistake{"Syntax", with("y = Mul(x, two)", "y = Mul(x, two"), "task.yaml:9:3: model: not the ONNX text syntax"},
        Mistake{"OtherName", with("twice (float", "thrice (float"), "the graph is named 'thrice', the task 'twice'"},
        Mistake{"UnknownOperatorOfAnotherDomain", with("Mul(x, two)", "local.Twice <by = 2> (x)"),
                "task.yaml:8:15: model 'twice': operator 'Twice' is unknown"},
        Mistake{"UnknownOperator", with("Mul(x, two)", "Mull(x, two)"), "task.yaml:8:9: model 'twice': operator 'Mull' is unknown"},
        Mistake{"UndefinedValue", with("Mul(x, two)", "Mul(x, three)"),
                "task.yaml:8:9: model: Mul reads 'three', which nothing before it writes"},
        Mistake{"WrittenTwice", with("y = Mul(x, two)", "y = Mul(x, two)\n    y = Relu(x)"),
                "task.yaml:9:9: model: Relu writes 'y', which is written already"},
        Mistake{"NeverWritten", with("y = Mul(x, two)", "z = Mul(x, two)"), "model: output 'y' is never written"},
        Mistake{"TooManyInputs", with("Mul(x, two)", "Mul(x, two, x)"), "task.yaml:8:9: model:"},
        Mistake{"AttributeType", with("Mul(x, two)", "Softmax <axis = \"last\"> (x)"), "task.yaml:8:9: model:"},
        Mistake{"ShapesDoNotInfer", with("=> (float[N, C] y)", "=> (int64[N, C] y)"), "task.yaml:"},
        Mistake{"Trailing", with("  }\ndims", "  }\n  }\ndims"), "text after the graph's closing brace"},
        Mistake{"UnknownDim", with("C: [1, 64]", "D: [1, 64]"), "task.yaml:10:19: dims: 'D' is not a dimension of an input. known: N C"},
        Mistake{"NoRange", with(", C: [1, 64]", ""), "dims: 'C' has no range"},
        Mistake{"EmptyRange", with("[1, 64]", "[64, 1]"), "task.yaml:10:22: dims: C: needs 1 <= low <= high"},
        Mistake{"UnknownInput", std::string(kGood) + "inputs: {z: normal}\n", "task.yaml:13:10: inputs: unknown key 'z'. known: x"},
        Mistake{"UnknownInit", std::string(kGood) + "inputs: {x: gaussian}\n", "task.yaml:13:13: inputs: x: unknown init 'gaussian'"},
        Mistake{"InitParameter", std::string(kGood) + "inputs: {x: {init: uniform, mean: 3}}\n", "init 'uniform' has no parameter 'mean'"},
        Mistake{"IndexOfAReal", std::string(kGood) + "inputs: {x: {init: index, of: C}}\n",
                "task.yaml:13:20: inputs: x: init 'index' does not suit float. do: give the tensor another type, or another init"},
        Mistake{"NoTiming", with("timing:\n  cpu: {dims: {N: 8, C: 128}}\n", ""), "key 'timing' is missing"},
        Mistake{"TimingDim", with("{N: 8, C: 128}", "{N: 8}"), "timing: cpu: dimension 'C' is not given"},
        Mistake{"NoTimingShape", with("cpu: {dims: {N: 8, C: 128}}", "cpu: []"), "timing: cpu: names no shape"},
        Mistake{"SecondTimingShape", with("cpu: {dims: {N: 8, C: 128}}", "cpu: [{dims: {N: 8, C: 128}}, {dims: {C: 1}}]"),
                "timing: cpu: dimension 'N' is not given"},
        Mistake{"NoTimingTarget", with("timing:\n  cpu: {dims: {N: 8, C: 128}}", "timing: {}"), "task.yaml:11:9: timing: names no target"},
        Mistake{"LooseBound", std::string(kGood) + "bounds: {y: {factor: 100, why: slow}}\n",
                "task.yaml:13:22: bounds: y: factor must be 1 to 32, got 100"},
        Mistake{"WaiverWithoutAWhy", std::string(kGood) + "waivers:\n  - {alteration: all zero}\n",
                "task.yaml:14:5: waiver: key 'why' is missing"},
        Mistake{"WaiverWithAnEmptyWhy", std::string(kGood) + "waivers:\n  - {alteration: all zero, why: \" \"}\n",
                "task.yaml:14:33: waiver: say why 'all zero' cannot show"},
        Mistake{"WaiverTwice", std::string(kGood) + "waivers: [{alteration: all zero, why: a}, {alteration: all zero, why: b}]\n",
                "task.yaml:13:43: waiver: 'all zero' is waived twice"},
        Mistake{"WaiversOfNoList", std::string(kGood) + "waivers: {alteration: all zero, why: a}\n",
                "task.yaml:13:10: waivers: must be a list"},
        Mistake{"TensorNamedFloat", with("C] y)\n  {", "C] y, float[N, C] float)\n  {\n    float = Neg(x)"),
                "model: the tensor 'float' is a word of C. do: give it another name"},
        Mistake{"TensorTwice", with("(float[N, C] x)", "(float[N, C] x, float[N, C] x)"), "model: the tensor 'x' is declared twice"},
        Mistake{"TensorNamedAsTorch", with("float[N, C] x)", "float[N, C] x, float[N] F)") + "torch: 2 * x + F\n",
                "model: the tensor 'F' is PyTorch in the torch line"},
        Mistake{"DimensionNamedLambda", with("(float[N, C] x)", "(float[N, C] x, float[lambda] z)"),
                "model: the dimension 'lambda' is a word of Python"},
        Mistake{"DimensionNamedAsATensor", with("(float[N, C] x)", "(float[N, C] x, float[x] z)"),
                "model: the dimension 'x' is the name of a tensor, too"},
        Mistake{"CaseName", std::string(kGood) + "cases:\n  - {name: A b, dims: {C: 3}}\n", "case: name 'A b' must match"}),
    [](const auto& test) { return test.param.name; });

TEST(LoadTask, NamesAFileThatIsNotThere) {
  try {
    load_task("/nowhere/task.yaml");
    FAIL();
  } catch (const SpecError& error) {
    EXPECT_STREQ(error.what(), "/nowhere/task.yaml: cannot be read. do: check that the file exists");
  }
}

}  // namespace
}  // namespace assay::spec

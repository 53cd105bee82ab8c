// SPDX-License-Identifier: Apache-2.0
// A bad task for each rule: an admission that lost the rule would let it in.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "assay/admission/admission.h"
#include "written_task.h"

namespace assay::admission {
namespace {

using testing::Contains;
using testing::HasSubstr;

const std::string kTiming = "timing: {cpu: {dims: {N: 512, C: 512}}}\n";
const std::string kRuledDims = "dims: {N: [1, 20], C: [1, 40]}\n" + kTiming;
const std::string kVector = "dims: {N: [1, 3000]}\ntiming: {cpu: {dims: {N: 400000}}}\n";
/// Three plain draws instead of the usual cases, whose values would show more.
const std::string kPlain = "replace_cases: a test\ncases: [{name: a}, {name: b}, {name: c}]\n";

/// Twice the sum of two 8-bit integers, no further than the type goes.
const std::string kSaturatingSum = R"((int8[N] a, int8[N] b) => (int8[N] y)
  {
    wide_a = Cast <to = 6> (a)
    wide_b = Cast <to = 6> (b)
    sum = Add(wide_a, wide_b)
    low = Constant <value = int32 {-128}> ()
    high = Constant <value = int32 {127}> ()
    fitting = Clip(sum, low, high)
    y = Cast <to = 3> (fitting)
  })";

/// Gram-Schmidt on two columns.
const std::string kFactorisation = R"((float[N, 2] x) => (float[N, 2] q, float[2, 2] r)
  {
    zero = Constant <value = int64[1] {0}> ()
    one = Constant <value = int64[1] {1}> ()
    two = Constant <value = int64[1] {2}> ()
    a = Slice(x, zero, one, one)
    b = Slice(x, one, two, one)
    aa = Mul(a, a)
    r11_square = ReduceSum <keepdims = 1> (aa, zero)
    r11 = Sqrt(r11_square)
    q1 = Div(a, r11)
    q1_b = Mul(q1, b)
    r12 = ReduceSum <keepdims = 1> (q1_b, zero)
    along = Mul(q1, r12)
    rest = Sub(b, along)
    rest_square = Mul(rest, rest)
    r22_square = ReduceSum <keepdims = 1> (rest_square, zero)
    r22 = Sqrt(r22_square)
    q2 = Div(rest, r22)
    q = Concat <axis = 1> (q1, q2)
    none = Sub(r12, r12)
    top = Concat <axis = 1> (r11, r12)
    bottom = Concat <axis = 1> (none, r22)
    r = Concat <axis = 0> (top, bottom)
  })";

struct BadTask {
  const char* name;
  const char* rule;
  std::string model, rest;
  const char* reason;
};

void PrintTo(const BadTask& task, std::ostream* out) { *out << task.name; }

const std::vector<BadTask>& bad_tasks() {
  static const std::vector<BadTask> all = {
      {"ConstantInput", "inputs_are_read", "(float[N, C] x, float[N, C] mask) => (float[N, C] y) { y = Mul(x, mask) }",
       kRuledDims + "inputs: {mask: ones}\n", "input 'mask' redrawn: another draw of 'mask' has no effect in any case"},
      {"InputThatMattersBesideNaNAlone", "inputs_are_read",
       "(float[N, C] x, float[N, C] z) => (float[N, C] y) { none = Sub(z, z)  y = Add(x, none) }", kRuledDims,
       "input 'z' redrawn: another draw of 'z' has no effect in any case"},
      {"FirstRowAlone", "parts_are_read",
       "(float[N, C] x) => (float[C] y)\n  {\n    zero = Constant <value = int64 {0}> ()\n    row = Gather <axis = 0> (x, zero)\n    y = "
       "Exp(row)\n  }",
       kRuledDims, "second half of input 'x' along axis 0 redrawn: no case reads it"},
      {"IndicesOfTheFirstTwo", "parts_are_read", "(float[N, C] x, int64[K] i) => (float[K, C] y) { y = Gather <axis = 0> (x, i) }",
       "dims: {N: [8, 20], C: [1, 40], K: [1, 20]}\ninputs: {i: {init: index, of: 2}}\ntiming: {cpu: {dims: {N: 512, C: 512, K: 512}}}\n",
       "second half of input 'x' along axis 0 redrawn: no case reads it"},
      {"OneNumberForAllElements", "outputs_vary", "(float[N, C] x) => (float[N, C] y, float[N, C] z)\n  { y = Exp(x)  z = Sub(x, x) }",
       kRuledDims + kPlain, "first element everywhere in output 'z': one number in all elements passes"},
      {"ASingleElementInEveryCase", "outputs_vary",
       "(float[N, C] x) => (float[K, 1] y)\n  {\n    none = Constant <value = int64[2] {0, 1}> ()\n    y = ReduceSum <keepdims = 1> (x, "
       "none)\n  }",
       kRuledDims, "first element everywhere in output 'y': has a single element in every case"},
      {"OutputThatFollowsNoInput", "outputs_follow_inputs",
       "(float[N, C] x) => (float[N, C] y, int64[2] z)\n  { y = Exp(x)  z = Shape(x) }", kRuledDims + kPlain,
       "output 'z' stale: what it was for other inputs passes in all cases"},
      {"Identity", "outputs_are_no_copies", "(float[N, C] x) => (float[N, C] y) { y = Identity(x) }", kRuledDims,
       "output 'y' copied from input 'x': a copy passes in all cases"},
      {"OutputTwice", "outputs_are_no_copies", "(float[N, C] x) => (float[N, C] y, float[N, C] z) { y = Exp(x)  z = Exp(x) }", kRuledDims,
       "output 'z' copied from output 'y': a copy passes in all cases"},
      {"NearlyAlwaysTrue", "outputs_take_many_values",
       "(float[N, C] x) => (bool[N, C] y) { low = Constant <value = float {-2.5}> ()  y = Greater(x, low) }", kRuledDims + kPlain,
       "of its elements are 1, at most 95 % may be one value"},
      {"SumThatSaturates", "outputs_take_many_values", kSaturatingSum,
       kVector + "inputs: {a: {init: integer, low: 50, high: 127}, b: {init: integer, low: 50, high: 127}}\n",
       "of its elements are at an end of what int8 holds, or beyond it; at most 75 % may be"},
      {"NothingIsJudged", "outputs_are_judged",
       "(float[N, C] x) => (float[N, C] y)\n  {\n    big = Constant <value = float {100.0}> ()\n    wide = Mul(x, big)\n    grown = "
       "Exp(wide)\n    y = Sin(grown)\n  }",
       kRuledDims + kPlain + "inputs: {x: {init: uniform, low: 0.4, high: 0.8}}\n", "output 'y' not judged: any value passes for "},
      {"EmptyOutput", "outputs_have_elements",
       "(float[N] x) => (float[M] y)\n  {\n    low = Constant <value = float {-6.0}> ()\n    rare = Less(x, low)\n    y = Compress(x, "
       "rare)\n  }",
       "dims: {N: [60, 90]}\ntiming: {cpu: {dims: {N: 400000}}}\n"
       "replace_cases: a test\ncases: [{name: a}, {name: b}, {name: c}, {name: d}, {name: e}, {name: f, inputs: {x: {init: normal, mean: "
       "-6, std: 1}}}]\n",
       "output 'y' empty: it has no element in "},
      {"CasesOfOneShape", "dimensions_vary", "(float[N, C] x) => (float[N, C] y) { y = Exp(x) }",
       kRuledDims + "replace_cases: a test\ncases: [{name: a, dims: {N: 9, C: 9}}, {name: b, dims: {N: 10, C: 9}}]\n",
       "dimension 'C' does not vary: 9 in every case, though dims or timing give others"},
      {"DimensionOfOne", "dimensions_vary", "(float[N, C, K] x) => (float[N, C, K] y) { y = Exp(x) }",
       "dims: {N: [1, 20], C: [1, 40], K: 1}\n" + kTiming, "dimension 'K' does not vary: 1 in every case"},
      {"SmallCases", "cases_are_large_enough", "(float[N, C] x) => (float[N, C] y) { y = Exp(x) }",
       kRuledDims + "replace_cases: a test\ncases: [{name: a, dims: {N: 2, C: 2}}, {name: b, dims: {N: 3, C: 5}}]\n",
       "cases too small: 0 of 2 have 64 elements or more"},
      {"TimedOnTwoByTwo", "timing_is_large_enough", "(float[N, C] x) => (float[N, C] y) { y = Exp(x) }",
       "dims: {N: [1, 20], C: [1, 40]}\ntiming: {cpu: {dims: {N: 512, C: 512}}, gpu: {dims: {N: 2, C: 2}}}\n",
       "timing shape of gpu too small: C = 2, N = 2: a call moves 32 bytes and computes 4 floating-point operations"},
      {"UpdatesThatMeet", "updates_may_come_in_any_order",
       "(float[N, C] x, int64[N, C] i, float[N, C] u) => (float[N, C] y) { y = ScatterElements <axis = 1> (x, i, u) }",
       kRuledDims + "inputs: {i: {init: index, of: C}}\n", "ScatterElements (y) in reverse: updates in another order give another result"},
      {"SlicesThatMeet", "updates_may_come_in_any_order",
       "(float[N, C] x, int64[K, 1] i, float[K, C] u) => (float[N, C] y) { y = ScatterND(x, i, u) }",
       "dims: {N: [1, 20], C: [1, 40], K: [1, 20]}\ninputs: {i: {init: index, of: N}}\ntiming: {cpu: {dims: {N: 512, C: 512, K: 100}}}\n",
       "ScatterND (y) in reverse: updates in another order give another result"},
      {"FactorsOfTheInput", "factors_are_unique", kFactorisation, "dims: {N: [4, 2000]}\ntiming: {cpu: {dims: {N: 400000}}}\n" + kPlain,
       "factorisation of input 'x': the outputs are factors of it in 3 of 3 cases"},
      {"TorchLineWithoutAnInput", "torch_line_names_inputs", "(float[N, C] x, float[N, C] z) => (float[N, C] y) { y = Add(x, z) }",
       kRuledDims + "torch: x + torch.zeros_like(x)\n", "torch line without 'z': the line does not read an input of the model"},
  };
  return all;
}

class Rules : public testing::TestWithParam<BadTask> {};

TEST_P(Rules, RefuseABadTask) {
  const Admission admission = admit(written_task(GetParam().model, GetParam().rest), 1, 1);
  EXPECT_FALSE(admission.admitted());
  EXPECT_FALSE(admission.as_declared());
  EXPECT_THAT(admission.reasons(), Contains(HasSubstr(GetParam().reason)));
}

INSTANTIATE_TEST_SUITE_P(All, Rules, testing::ValuesIn(bad_tasks()), [](const auto& test) { return std::string(test.param.name); });

TEST(RuleNames, HaveABadTaskEach) {
  std::set<std::string> shown = {"another_answer_passes"};  // verified_test.cpp
  for (const BadTask& task : bad_tasks()) shown.insert(task.rule);
  EXPECT_THAT(rule_names(), testing::UnorderedElementsAreArray(shown));
}

/// What a rule must not take for what it forbids.
struct RightTask {
  const char* name;
  std::string model, rest;
};

void PrintTo(const RightTask& task, std::ostream* out) { *out << task.name; }

class RightTasks : public testing::TestWithParam<RightTask> {};

TEST_P(RightTasks, AreAdmitted) {
  const Admission admission = admit(written_task(GetParam().model, GetParam().rest), 1, 1);
  EXPECT_THAT(admission.reasons(), testing::IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    All, RightTasks,
    testing::Values(
        RightTask{"StrideGivenAtRunTime",
                  "(int32[N] x, int64 stride) => (int32[M] y)\n  {\n    zero = Constant <value = int64 {0}> ()\n    extent = Shape(x)\n    "
                  "n = Squeeze(extent)\n"
                  "    places = Range(zero, n, stride)\n    y = Gather(x, places)\n  }",
                  kVector + "inputs: {x: {init: integer, low: -1000, high: 1000}, stride: {init: integer, low: 1, high: 4}}\n"},
        RightTask{"ElementsWhoseMaskIsTrue", "(float[N] x, bool[N] mask) => (float[M] y) { y = Compress(x, mask) }", kVector},
        RightTask{
            "DistinctRows", "(float[N, C] x) => (float[K, C] y, int64[N] places) { y, , places = Unique <axis = 0, sorted = 1> (x) }",
            "dims: {N: [1, 200], C: [1, 8]}\ninputs: {x: {init: integer, low: 0, high: 3}}\ntiming: {cpu: {dims: {N: 20000, C: 4}}}\n"},
        RightTask{"UpdatesThatAdd",
                  "(float[N, C] x, int64[N, C] i, float[N, C] u) => (float[N, C] y) { y = ScatterElements <axis = 1, reduction = \"add\"> "
                  "(x, i, u) }",
                  kRuledDims + "inputs: {i: {init: index, of: C}}\n"},
        RightTask{"UpdatesThatDoNotMeet", "(float[N, C] x, int64[K, 1] i, float[K, C] u) => (float[N, C] y) { y = ScatterND(x, i, u) }",
                  "dims: {N: [20, 40], C: [1, 40], K: [1, 20]}\ninputs: {i: {init: index, of: N, distinct: true}}\n"
                  "timing: {cpu: {dims: {N: 512, C: 512, K: 20}}}\n"},
        RightTask{"ASingleNumber", "(float[N, C] x) => (float y) { y = ReduceMean <keepdims = 0> (x) }", kRuledDims}),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace assay::admission

// SPDX-License-Identifier: Apache-2.0
// The published systems' rules, holes included, on outputs worked out by hand.
#include "assay/cases/profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "assay/cases/timed_inputs.h"
#include "assay/spec/suite.h"
#include "written_task.h"

namespace assay::cases {
namespace {

constexpr float kInfinite = std::numeric_limits<float>::infinity();

bool passes(const std::string& profile, const std::vector<float>& got, const oracle::Elements<double>& right) {
  const oracle::Elements<double> ones(right.size(), 1.0);
  ExpectedTensor tensor{"y", spec::ElementType::f32, {static_cast<std::int64_t>(right.size())}, right, ones, {}, {}, 16, 4};
  Bytes bytes(got.size() * sizeof(float));
  std::memcpy(bytes.data(), got.data(), bytes.size());
  return compare_by(profile, {"case", {}, {}, {}, {tensor}, 0}, {bytes}).accepted;
}

TEST(Profile, KernelBenchTakesAbsoluteAndRelativeTogether) {
  EXPECT_TRUE(passes("kernelbench", {1.00019f}, {1}));
  EXPECT_FALSE(passes("kernelbench", {1.00021f}, {1}));
  EXPECT_TRUE(passes("kernelbench", {0, 0}, {9e-5, -9e-5}));  // zeros pass for small outputs
  EXPECT_FALSE(passes("kernelbench", {std::numeric_limits<float>::quiet_NaN()}, {1}));
}

TEST(Profile, KernelBenchV0IsAHundredTimesWider) {
  EXPECT_TRUE(passes("kernelbench-v0", {1.019f}, {1}));
  EXPECT_FALSE(passes("kernelbench-v0", {1.021f}, {1}));
}

TEST(Profile, MobileKernelBenchMeasuresAgainstTheLargestElement) {
  EXPECT_TRUE(passes("mobilekernelbench", {100, 0.009f}, {100, 0}));
  EXPECT_FALSE(passes("mobilekernelbench", {100, 0.011f}, {100, 0}));
  EXPECT_FALSE(passes("mobilekernelbench", {kInfinite}, {std::numeric_limits<double>::infinity()}));
}

TEST(Profile, NpuEvalIsRelativeToTheCandidate) {
  EXPECT_TRUE(passes("npueval", {kInfinite, -kInfinite}, {1, 2}));  // the hole: infinity is within one per cent of itself
  EXPECT_FALSE(passes("npueval", {1.03f}, {1}));
}

TEST(Profile, GeakTakesATenthOfTheRightOutput) {
  EXPECT_TRUE(passes("geak", {1.1009f, -1.1009f}, {1, -1}));
  EXPECT_FALSE(passes("geak", {1.1011f}, {1}));
  EXPECT_TRUE(passes("geak", {9e-4f}, {0}));
  EXPECT_FALSE(passes("geak", {1.1e-3f}, {0}));
  EXPECT_FALSE(passes("geak", {kInfinite}, {1}));
}

TEST(Profile, TritonBenchComparesNothing) {
  EXPECT_TRUE(passes("tritonbench", {std::numeric_limits<float>::quiet_NaN(), 7}, {1, 2}));  // the hole: its tests print nothing
}

TEST(Profile, OursIsTheDefault) {
  EXPECT_FALSE(passes("", {1.0001f}, {1}));
  EXPECT_TRUE(passes("", {1.0f}, {1}));
}

TEST(Profile, UnknownNamesAreRefused) {
  try {
    find_profile("kernelbnch");
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("known: geak kernelbench kernelbench-v0 mobilekernelbench npueval tritonbench"));
  }
}

/// How many of the first input's elements are above zero.
std::ptrdiff_t positive(const PreparedCase& entry) {
  const auto* x = reinterpret_cast<const float*>(entry.inputs[0].data());
  return std::count_if(x, x + entry.inputs[0].size() / sizeof(float), [](float v) { return v > 0; });
}

TEST(Profile, OfEachSuiteIsKnown) {
  for (const spec::Suite& suite : spec::load_suites(TASKS_FOLDER))
    if (!suite.profile.empty()) EXPECT_EQ(find_profile(suite.profile).name, suite.profile) << suite.name;
}

TEST(Profile, DrawsWhatRowsDrawAtEachOfTheirShapes) {
  spec::Task task = written_task("(float[N] x, float[N] w) => (float[N] y) { y = Add(x, w) }",
                                 "dims: {N: [1, 4]}\ninputs: {w: ones}\ntiming: {cpu: {dims: {N: 1000}}}\n");
  task.rows["some"] = {{"Plain", {{"N", {500, 500}}}, {}}, {"Odd", {{"N", {700, 700}}}, {{"x", {"normal"}}, {"w", {"zeros"}}}}};
  const Profile& profile = find_profile("mobilekernelbench");
  const CaseFile file = prepare_cases(task, profile, 1, "some"), timing = prepare_timing(task, profile, 1, "some");
  ASSERT_EQ(file.cases.size(), 2u);
  EXPECT_EQ(file.cases[0].name, "Plain, trial 1");
  EXPECT_GE(positive(file.cases[0]), 499) << "U[0, 1)";
  EXPECT_EQ(file.cases[1].name, "Odd, trial 1");
  EXPECT_EQ(file.cases[1].dims.at("N"), 700);
  EXPECT_NEAR(static_cast<double>(positive(file.cases[1])), 350, 100) << "N(0, 1)";
  EXPECT_EQ(file.cases[1].inputs[1], Bytes(700 * sizeof(float), std::byte{0})) << "zeros";
  ASSERT_EQ(timing.timing.size(), 2u);
  EXPECT_EQ(timing.timing[0].inputs.at("x").kind, "uniform");
  EXPECT_FALSE(timing.timing[0].inputs.contains("w")) << "the task says what that is";
  EXPECT_EQ(timing.timing[1].inputs.at("w").kind, "zeros");
  TimedDraw drawn(task, timing.timing[1], 1, 1, 4, profile.name);
  EXPECT_EQ(drawn.launch(0, {0}).calls.back().inputs[1], Bytes(700 * sizeof(float), std::byte{0}));
}

TEST(Profile, DrawsLargeShapesOnce) {
  const spec::Task task = written_task("(float[N] x) => (float[N] y) { y = Relu(x) }",
                                       "dims: {N: [1, 4]}\ntiming: {cpu: [{dims: {N: 9000000}}, {dims: {N: 8}}]}\n");
  const CaseFile file = prepare_cases(task, find_profile("kernelbench"), 1);
  ASSERT_EQ(file.cases.size(), 6u);
  EXPECT_EQ(file.cases[0].dims.at("N"), 9000000);
  EXPECT_EQ(file.cases[1].dims.at("N"), 8);
}

TEST(Profile, DrawsItsOwnInputsAtTheTimingShape) {
  const spec::Task task =
      written_task("(float[N] x) => (float[N] y) { y = Relu(x) }", "dims: {N: [1, 4]}\ntiming: {cpu: {dims: {N: 1000}}}\n");
  const CaseFile file = prepare_cases(task, find_profile("kernelbench"), 1), timing = prepare_timing(task, find_profile("kernelbench"), 1);
  ASSERT_EQ(file.cases.size(), 5u);
  EXPECT_EQ(file.profile, "kernelbench");
  const auto* x = reinterpret_cast<const float*>(file.cases[0].inputs[0].data());
  EXPECT_EQ(file.cases[0].dims.at("N"), 1000);
  ASSERT_EQ(timing.timing.size(), 1u);
  EXPECT_EQ(timing.timing[0].dims.at("N"), 1000);
  EXPECT_TRUE(std::all_of(x, x + 1000, [](float v) { return v >= 0 && v <= 1; }));  // so the identity passes for Relu
}

}  // namespace
}  // namespace assay::cases

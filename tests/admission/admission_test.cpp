// SPDX-License-Identifier: Apache-2.0
// A sound task is admitted; each way of being a bad judge is refused with its reason.
#include "assay/admission/admission.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "written_task.h"

namespace assay::admission {
namespace {

using testing::Contains;
using testing::HasSubstr;

const char* const kDims = "dims: {N: [1, 20], K: [1, 40]}\ntiming: {cpu: {dims: {N: 256, K: 256}}}\n";

TEST(Admission, AdmitsALinearLayer) {
  const Task task = written_task("(float[N, K] x, float[K, K] w, float[K] b) => (float[N, K] y) { y = Gemm(x, w, b) }", kDims);
  const Admission admission = admit(task, 1, 3);
  EXPECT_THAT(admission.reasons(), testing::IsEmpty());
  EXPECT_TRUE(admission.admitted());
  EXPECT_EQ(admission.honest_runs, 3u);
  EXPECT_GE(admission.alterations.size(), 16u);
}

TEST(Admission, RefusesAnOutputThatDoesNotDependOnAnInput) {
  const Task task = written_task("(float[N, K] x, float[N, K] unused) => (float[N, K] y) { y = Relu(x) }", kDims);
  EXPECT_THAT(admit(task, 1, 1).reasons(), Contains(HasSubstr("input 'unused' ignored (zero): has no effect")));
}

TEST(Admission, RefusesAConstantOutput) {
  const Task task = written_task("(float[N, K] x) => (float[N, K] y) { z = Sub(x, x)  y = Abs(z) }",
                                 std::string(kDims) + "replace_cases: special values would make a NaN\ncases: [{name: plain}]\n");
  const Admission admission = admit(task, 1, 1);
  EXPECT_FALSE(admission.admitted());
  EXPECT_THAT(admission.reasons(), Contains(HasSubstr("input 'x' ignored")));
}

TEST(Admission, RefusesABoundThatLetsLowPrecisionPass) {
  Task task = written_task("(float[N, K] x) => (float[N, K] y) { y = Exp(x) }",
                           std::string(kDims) + "replace_cases: exact ones would show it\ncases: [{name: plain}]\n");
  task.bound_factors["y"] = 100000;  // more than task.yaml may say
  EXPECT_THAT(admit(task, 1, 1).reasons(), Contains(HasSubstr("computed from bfloat16: accepted in all 1 cases")));
}

TEST(Admission, RefusesAnOperatorThatDoesNothing) {
  const Task task = written_task("(float[N, K] x) => (float[N, K] y) { z = Exp(x)  y = Relu(z) }", kDims);
  EXPECT_THAT(admit(task, 1, 1).reasons(), Contains(HasSubstr("Relu (y) skipped: has no effect in any case")));
}

/// Its skipped Cast gives other bytes of the same reals, and its skipped Unsqueeze the same rows.
TEST(Admission, LetsOperatorsChangeTypesAndShapesAlone) {
  const Task task = written_task(
      "(float[N, K] x, float[K] b) => (float[N, K] y)\n  {\n    axis = Constant <value = int64[1] {0}> ()\n"
      "    row = Unsqueeze(b, axis)\n    y = Add(x, row)\n  }",
      kDims);
  EXPECT_THAT(admit(task, 1, 1).reasons(), testing::IsEmpty());
}

TEST(Admission, RefusesAnEpsilonThatNeverMatters) {
  const std::string body =
      "(float[N, K] x) => (float[N, K] y)\n  {\n    eps = Constant <value = float {0.000000001}> ()\n"
      "    big = Constant <value = float {100.0}> ()\n    z = Add(x, big)\n    y = Add(z, eps)\n  }";
  const std::string one_case = std::string(kDims) + "replace_cases: tiny values would show it\ncases: [{name: plain}]\n";
  EXPECT_THAT(admit(written_task(body, one_case), 1, 1).reasons(), Contains(HasSubstr("constant 'eps' omitted")));
}

}  // namespace
}  // namespace assay::admission

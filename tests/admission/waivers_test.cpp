// SPDX-License-Identifier: Apache-2.0
// What a task may say against admission, and what it may not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "assay/admission/admission.h"
#include "written_task.h"

namespace assay::admission {
namespace {

using spec::Waiver;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

/// 127 times the hard sigmoid, rounded to 8 bits: one per cent of alpha is too little to show.
const char* const kEightBits = R"((int8[N] x) => (int8[N] y)
  {
    factor = Constant <value = float {127.0}> ()
    real = Cast <to = 1> (x)
    share = HardSigmoid <alpha = 0.16666667, beta = 0.5> (real)
    scaled = Mul(share, factor)
    rounded = Round(scaled)
    y = Cast <to = 3> (rounded)
  })";
const std::string kRestOfTask =
    "dims: {N: [1, 3000]}\ninputs: {x: {init: integer, low: -6, high: 6}}\ntiming: {cpu: {dims: {N: 400000}}}\n";
const char* const kAlpha = "alpha of HardSigmoid (share) off by 1 %";

std::string waiver(const std::string& alteration) {
  return "waivers:\n  - {alteration: \"" + alteration + "\", why: 8 bits cannot show it}\n";
}

TEST(Waiver, ExcusesTheAlterationThatItNames) {
  EXPECT_THAT(admit(written_task(kEightBits, kRestOfTask), 1, 1).reasons(),
              Contains(HasSubstr(std::string(kAlpha) + ": has no effect in any case")));
  const Admission admission = admit(written_task(kEightBits, kRestOfTask + waiver(kAlpha)), 1, 1);
  EXPECT_THAT(admission.reasons(), IsEmpty());
  EXPECT_TRUE(admission.admitted());
  EXPECT_TRUE(admission.as_declared());
  const auto excused = std::ranges::find(admission.alterations, kAlpha, &AlterationResult::name);
  ASSERT_NE(excused, admission.alterations.end());
  EXPECT_EQ(excused->waived, "8 bits cannot show it");
}

TEST(Waiver, ExcusesNothingElse) {
  const spec::Task task = written_task(kEightBits, kRestOfTask + waiver("beta of HardSigmoid (share) off by 1 %"));
  EXPECT_THAT(admit(task, 1, 1).reasons(), Contains(HasSubstr(std::string(kAlpha) + ": has no effect in any case")));
}

TEST(Waiver, ExcusesWhatARuleFinds) {
  const std::string model =
                        "(float[N, C] x) => (float[N, 1] y)\n  {\n    first = Constant <value = int64[1] {0}> ()\n"
                        "    column = Gather <axis = 1> (x, first)\n    y = Exp(column)\n  }",
                    rest = "dims: {N: [1, 200], C: [1, 40]}\ntiming: {cpu: {dims: {N: 4096, C: 512}}}\n",
                    found = "second half of input 'x' along axis 1 redrawn";
  EXPECT_THAT(admit(written_task(model, rest), 1, 1).reasons(), Contains(HasSubstr(found)));
  EXPECT_THAT(admit(written_task(model, rest + waiver(found)), 1, 1).reasons(), IsEmpty());
}

void expect_refused(const std::string& alteration, const char* reason) {
  const Admission admission = admit(written_task("(float[N] x) => (float[N] y) { y = Identity(x) }",
                                                 "dims: {N: [1, 3000]}\ntiming: {cpu: {dims: {N: 400000}}}\n" + waiver(alteration)),
                                    1, 1);
  EXPECT_FALSE(admission.as_declared());
  EXPECT_THAT(admission.reasons(), Contains(testing::AllOf(HasSubstr("task.yaml:8:5: waiver: '" + alteration), HasSubstr(reason))));
}

TEST(Waiver, OfAnUnknownNameIsRefused) {
  expect_refused("computed from bfloat61", "names nothing that is altered or found. did you mean: computed from bfloat16");
}
TEST(Waiver, ThatIsNotNeededIsRefused) {
  expect_refused("computed from bfloat16", "is not needed: the cases show it. do: remove the waiver");
}
TEST(Waiver, OfAnOutputThatComputesNothingIsRefused) {
  expect_refused("output 'y' copied from input 'x'", "cannot be waived");
  expect_refused("all zero", "cannot be waived");
  expect_refused("input 'x' ignored (zero)", "cannot be waived");
}

}  // namespace
}  // namespace assay::admission

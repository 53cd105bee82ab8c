// SPDX-License-Identifier: Apache-2.0
// Admission of tasks that verify.cpp judges: a good one, and one for each thing that may be wrong with it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "assay/admission/admission.h"

namespace assay::admission {
namespace {

using testing::Contains;
using testing::HasSubstr;

Admission admitted(const std::string& name, const char* library) {
  spec::TaskFile from(std::string(VERIFIED_TASKS) + "/math/" + name + "/task.yaml");
  from.library = library;
  return admit(spec::load_task(from), 1, 1);
}

TEST(VerifiedTask, IsAdmittedWhereItsResidualsHoldOutputsToEverything) {
  const Admission admission = admitted("by_any_order", BY_ANY_ORDER);
  EXPECT_THAT(admission.reasons(), testing::IsEmpty());
  EXPECT_TRUE(admission.admitted());
  for (const char* name : {"all zero", "the first element everywhere", "the largest element off by 1 %", "one number above every index",
                           "one number below every index", "one huge number", "one row left out", "one NaN",
                           "stale: right for the inputs of the call before"}) {
    const auto result = std::ranges::find(admission.alterations, name, &AlterationResult::name);
    ASSERT_NE(result, admission.alterations.end()) << name;
    EXPECT_GT(result->rejected, 0u) << name;
  }
}

TEST(VerifiedTask, WithoutAnotherAnswerNeedsNoVerify) {
  EXPECT_THAT(
      admitted("by_trouble", BY_TROUBLE).reasons(),
      Contains(testing::AllOf(HasSubstr("another right answer: "), HasSubstr("nothing shows that there is one. do: write ASSAY_ANOTHER"))));
}

TEST(VerifiedTask, ThatAcceptsWrongOutputsIsRefused) {
  const auto reasons = admitted("by_too_little", BY_TOO_LITTLE).reasons();
  EXPECT_THAT(reasons, Contains(HasSubstr("computed from bfloat16: accepted in all")));
  EXPECT_THAT(reasons, Contains(HasSubstr("the largest element off by 1 %: accepted in all")));
  EXPECT_THAT(reasons, Contains(HasSubstr("one huge number: verify.cpp cannot judge it: case '")));
  EXPECT_THAT(reasons, Contains(HasSubstr("refuses what ASSAY_ANOTHER calls right: smallest: residual 'sum' is")));
}

}  // namespace
}  // namespace assay::admission

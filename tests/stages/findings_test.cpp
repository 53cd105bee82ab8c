// SPDX-License-Identifier: Apache-2.0
// What a test's record says, from comparisons written down by hand.
#include "assay/stages/findings.h"

#include <gtest/gtest.h>

#include <limits>

namespace assay::stages {
namespace {

using cases::Comparison;
using record::Record, record::Verdict;

/// An error of `scaled` where `bound` is allowed.
Comparison compared(bool accepted, double scaled = 0, double bound = 4, const char* detail = "", double max_abs = 0, double max_rel = 0) {
  Comparison made;
  made.accepted = accepted;
  made.detail = detail;
  made.scaled = scaled, made.bound = bound;
  made.max_abs = max_abs, made.max_rel = max_rel;
  made.where = detail;
  return made;
}

CalledCase twice(const Comparison& first, const Comparison& second, bool repeats = true) { return {{first, second}, repeats}; }
CalledCase right(double scaled = 0) { return twice(compared(true, scaled), compared(true, scaled)); }
CalledCase wrong(const char* detail) { return twice(compared(false, 9, 4, detail), compared(false, 9, 4, detail)); }

Record filled(const Findings& findings, std::size_t planned = 3) {
  Record record;
  findings.fill(record, planned);
  return record;
}

TEST(Findings, OfNoCaseAreNoPass) {
  const Findings findings;
  EXPECT_FALSE(findings.all_passed(0));
  EXPECT_FALSE(findings.all_passed(1));
  EXPECT_EQ(filled(findings).cases, (record::CaseCount{3, 0}));
}

TEST(Findings, CountWhatPassed) {
  Findings findings;
  EXPECT_EQ(findings.add(right()), "");
  EXPECT_TRUE(findings.all_passed(1));
  EXPECT_FALSE(findings.all_passed(2));
  EXPECT_EQ(findings.add(wrong("y[3]: 0.25, expected 0.5")), "y[3]: 0.25, expected 0.5");
  EXPECT_EQ(findings.add(right()), "");
  EXPECT_TRUE(findings.all_passed(2));
  const Record record = filled(findings);
  EXPECT_EQ(record.cases, (record::CaseCount{3, 2}));
  EXPECT_EQ(record.verdict, Verdict::wrong_result);
  EXPECT_EQ(record.detail, "y[3]: 0.25, expected 0.5");
  EXPECT_EQ(record.repeatable, true);
}

TEST(Findings, CallWhatIsRightOnceNondeterministic) {
  for (const bool first : {true, false}) {
    Findings findings;
    const Comparison bad = compared(false, 9, 4, "y[0]: 1, expected 2"), good = compared(true, 1, 4, "fine");
    const std::string message = findings.add(twice(first ? good : bad, first ? bad : good, false));
    EXPECT_EQ(message, first ? "two calls on the same inputs: call 1 was right, the other not: y[0]: 1, expected 2"
                             : "two calls on the same inputs: call 2 was right, the other not: y[0]: 1, expected 2");
    const Record record = filled(findings);
    EXPECT_EQ(record.verdict, Verdict::nondeterministic);
    EXPECT_EQ(record.detail, message);
    EXPECT_EQ(record.errors->scaled, 9) << "of the wrong call";
    EXPECT_FALSE(findings.all_passed(1));
  }
}

TEST(Findings, AreNotRepeatableFromTheFirstCaseOnThatIsNot) {
  Findings findings;
  findings.add(right());
  EXPECT_EQ(filled(findings).repeatable, true);
  findings.add(twice(compared(true), compared(true), false));
  EXPECT_EQ(filled(findings).repeatable, false);
  findings.add(right());
  EXPECT_EQ(filled(findings).repeatable, false);
  EXPECT_TRUE(findings.all_passed(3)) << "both calls were right";
}

TEST(Findings, KeepTheFirstFailureUnlessTheCandidateFailsForGood) {
  Findings findings;
  findings.add(wrong("first"));
  EXPECT_EQ(findings.add(wrong("second")), "second");
  EXPECT_EQ(filled(findings).detail, "first");
  EXPECT_FALSE(findings.stopped());
  EXPECT_EQ(findings.stop({"large", {Verdict::crash, "SIGSEGV"}}), "large: SIGSEGV");
  EXPECT_TRUE(findings.stopped());
  const Record record = filled(findings);
  EXPECT_EQ(record.verdict, Verdict::crash);
  EXPECT_EQ(record.detail, "large: SIGSEGV");
}

TEST(Findings, HaveTheErrorsOfTheCaseNearestToItsBound) {
  Findings findings;
  findings.add(twice(compared(true), compared(true, 1, 2, "half", 0.5, 1e-3)));
  findings.add(twice(compared(true), compared(true, 3, 12, "quarter", 7.0001, 1e-6)));
  findings.add(twice(compared(true), compared(true, 0.1, 0.2, "half again", 1e-9, 2e-3)));
  const record::Errors errors = filled(findings).errors.value();
  EXPECT_EQ(errors.scaled, 1);
  EXPECT_EQ(errors.bound, 2);
  EXPECT_EQ(errors.where, "half");
  EXPECT_EQ(errors.max_abs, 7.0001) << "the largest of all cases, as";
  EXPECT_EQ(errors.max_rel, 2e-3);
  findings.add(twice(compared(true), compared(true, 0.15, 0.2, "three quarters")));
  EXPECT_EQ(filled(findings).errors->where, "three quarters");
  findings.add(twice(compared(true), compared(true, 2.8, 4, "seven tenths")));
  EXPECT_EQ(filled(findings).errors->where, "three quarters");
}

TEST(Findings, TellSharesApartThatDifferLittle) {
  Findings findings;
  findings.add(twice(compared(true), compared(true, 1.0001, 2, "less")));
  findings.add(twice(compared(true), compared(true, 1.0002, 2, "more")));
  findings.add(twice(compared(true), compared(true, 1.00015, 2, "between")));
  EXPECT_EQ(filled(findings).errors->where, "more");
}

TEST(Findings, ShowAWrongCaseBeforeARightOneThatIsNearerToItsBound) {
  Findings findings;
  findings.add(twice(compared(true), compared(true, 3, 4, "right")));
  findings.add(twice(compared(false, 1, 4, "an integer"), compared(false, 1, 4, "an integer")));
  EXPECT_EQ(filled(findings).errors->where, "an integer");
  findings.add(twice(compared(false, 0.5, 4, "a smaller one"), compared(false, 0.5, 4, "a smaller one")));
  EXPECT_EQ(filled(findings).errors->where, "an integer") << "the first of two that are wrong, unless the second is nearer";
  findings.add(twice(compared(false, 8, 4, "a larger one"), compared(true)));
  EXPECT_EQ(filled(findings).errors->where, "a larger one");
}

TEST(Findings, TakeACaseThatAllowsNoError) {
  Findings findings;
  findings.add(twice(compared(true), compared(true, 0, 0, "exact", 0.25)));
  EXPECT_EQ(filled(findings).errors->where, "exact");
  findings.add(twice(compared(true), compared(true, 0, 4, "real")));
  EXPECT_EQ(filled(findings).errors->where, "real") << "which says more than one without errors";
  findings.add(twice(compared(true), compared(true, 0, 0, "exact again")));
  EXPECT_EQ(filled(findings).errors->where, "real");
  findings.add(twice(compared(true), compared(true, std::numeric_limits<double>::quiet_NaN(), 4, "NaN")));
  EXPECT_EQ(filled(findings).errors->where, "NaN");
}

TEST(Findings, KeepAWrongCaseThatAllowedNoError) {
  Findings findings;
  findings.add(twice(compared(false, 0, 0, "an integer"), compared(true)));
  findings.add(twice(compared(true), compared(true, 3, 4, "right")));
  EXPECT_EQ(filled(findings).errors->where, "an integer");
}

TEST(Findings, WithoutAResultHaveNoErrors) {
  Findings findings;
  findings.stop({"smallest", {Verdict::timeout, "a call took longer than 10 s"}});
  EXPECT_EQ(filled(findings).errors, (record::Errors{0, 0, 0, 0, ""}));
}

}  // namespace
}  // namespace assay::stages

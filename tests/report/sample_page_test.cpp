// SPDX-License-Identifier: Apache-2.0
#include "assay/report/sample_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "made_results.h"

namespace assay::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

SamplePage page(const MadeEvaluation& made) {
  SamplePage page;
  page.sample = made.results().problems.at(0).samples.at(0);
  page.build = "build/x";
  page.judged = "2026-11-23 10:00:00 UTC";
  page.source_path = "generated/m/relu/000.cpp";
  page.source = "void relu() {}\n";
  return page;
}

std::string written(const SamplePage& page) {
  std::ostringstream out;
  write_sample(page, out);
  return out.str();
}

TEST(SamplePage, OfAPassingCandidate) {
  const std::string text = written(page(MadeEvaluation().correct("m.relu.cpp.000", 2, 1.9, 2.1)));
  EXPECT_EQ(text, R"(m.relu.cpp.000  PASS
  judged   2026-11-23 10:00:00 UTC
  sandbox  full
  machine  3f2a91c0 AMD EPYC 2 cores

Stages
  compile  PASS
           12 ms of the compiler
  test     PASS
           9 of 9 cases passed
           largest error 1.5 of 16 allowed, at tail: y[3]
  bench    PASS

Timing, with 95 % intervals
  a call takes 500 ns, the baseline 1 us: 2x [1.9, 2.1]

repro: ctest --test-dir build/x --output-on-failure -R '^m[.]relu[.]cpp[.]000[.]bench$'

generated/m/relu/000.cpp
    1  void relu() {}
)");
}

TEST(SamplePage, SaysThatAProblemHasNoStageBench) {
  EXPECT_THAT(written(page(MadeEvaluation().without_bench("m.queue.program.000", "PASS"))),
              HasSubstr("  bench    none: the problem has no such stage\n"));
  EXPECT_THAT(written(page(MadeEvaluation().untimed("m.relu.cpp.000"))), HasSubstr("  bench    not run\n"));
}

TEST(SamplePage, OfAWrongOne) {
  SamplePage wrong = page(MadeEvaluation().wrong("m.relu.cpp.000", "y[3, 17]: got 0.25, expected 0.5"));
  wrong.outputs = {"warning: unused\n", "[ RUN      ] relu.tail\nx.cpp:1: Failure\nFailed\ntail: y[3, 17]\n[  FAILED  ] relu.tail\n", ""};
  wrong.age = "source";
  const std::string text = written(wrong);
  EXPECT_THAT(text, HasSubstr("m.relu.cpp.000  WRONG_RESULT\n"));
  EXPECT_THAT(text, HasSubstr("  stale    judged before a change: source\n"));
  EXPECT_THAT(text, HasSubstr("  test     WRONG_RESULT     y[3, 17]: got 0.25, expected 0.5\n"));
  EXPECT_THAT(text,
              HasSubstr("repro: ASSAY_SEED=0x5eed ctest --test-dir build/x --output-on-failure -R '^m[.]relu[.]cpp[.]000[.]test$'\n"));
  EXPECT_THAT(text, HasSubstr("\nOutput of compile\n  warning: unused\n"));
  EXPECT_THAT(text, HasSubstr("\nOutput of test\n  tail: y[3, 17]\n\n"));
  EXPECT_THAT(text, Not(HasSubstr("Timing")));
  wrong.outputs[0] = "";
  for (int line = 0; line < 50; ++line) wrong.outputs[0] += "warning\n";
  EXPECT_THAT(written(wrong), HasSubstr("  warning\n  and 10 lines more, which the repro line prints\n"));
}

TEST(SamplePage, WhatACandidateWroteCannotMoveTheCursor) {
  const std::string evil = "\x1b[2J\xe2\x80\xae";
  SamplePage shown = page(MadeEvaluation().wrong("m.relu.cpp.000", evil));
  shown.outputs = {evil, evil, evil};
  shown.source = shown.source_path = evil;
  const std::string text = written(shown);
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, Not(HasSubstr("\xe2\x80\xae")));
  EXPECT_THAT(text, HasSubstr("    1  \\x1b[2J"));
}

}  // namespace
}  // namespace assay::report

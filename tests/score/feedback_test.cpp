// SPDX-License-Identifier: Apache-2.0
// What a model is told says enough to go on, and nothing of what candidates are tested with, whatever a candidate does to carry it out.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <random>
#include <set>

#include "assay/score/answer.h"

namespace assay::score {
namespace {

using record::Doubt, record::Record, record::Stage, record::Verdict;
using testing::HasSubstr, testing::Not;

Record stage_with(Stage of, Verdict verdict, const std::string& detail = "") {
  Record record;
  record.stage = of;
  record::set_verdict(record, verdict, detail);
  return record;
}

Answer answer_of(std::vector<Record> records, std::string diagnostics = "") {
  Answer answer;
  answer.records = std::move(records);
  answer.diagnostics = std::move(diagnostics);
  return answer;
}

std::string told_by_compiler(const std::string& diagnostics) {
  return feedback_of(answer_of({stage_with(Stage::compile, Verdict::compile_error, "source.cpp:1: error: no")}, diagnostics));
}

TEST(Feedback, TellsAboutHowLargeAnErrorIs) {
  Record wrong = stage_with(Stage::test, Verdict::wrong_result, "y[3]: got 1.5, expected 7.25");
  wrong.cases = record::CaseCount{5, 2};
  wrong.errors = record::Errors{5.75, 0.79, 400.0, 4.0, "tail: y[3]"};
  EXPECT_EQ(feedback_of(answer_of({stage_with(Stage::compile, Verdict::pass), wrong})),
            "WRONG_RESULT: an output was outside its bound.\n"
            "2 of 5 cases passed. The largest relative error is about 1e0. The largest error is about 1e2 times its bound.\n");
}

TEST(Feedback, TellsTheSpeedupOfWhatWasTimed) {
  Record timed = stage_with(Stage::bench, Verdict::pass);
  timed.speedup = record::Speedup{1.234, 1.1, 1.3, 1.1};
  EXPECT_EQ(feedback_of(answer_of({stage_with(Stage::compile, Verdict::pass), stage_with(Stage::test, Verdict::pass), timed})),
            "PASS: compiled, and every output was within its bound.\nSpeedup over the baseline 1.2, between 1.1 and 1.3.\n");
}

TEST(Feedback, OfAProblemsOwnTestIsWhetherItPasses) {
  const auto told = [](Verdict verdict, const std::string& detail) {
    Record compiled = stage_with(Stage::compile, Verdict::pass), tested = stage_with(Stage::test, verdict, detail);
    compiled.sample.backend = tested.sample.backend = "program";
    tested.cases = record::CaseCount{1, verdict == Verdict::pass ? 1 : 0};
    return feedback_of(answer_of({compiled, tested}));
  };
  EXPECT_EQ(told(Verdict::pass, ""), "PASS: the problem's test passes.\n");
  EXPECT_EQ(told(Verdict::wrong_result, "the test ended with status 1: FAILED: 7 numbers"), "WRONG_RESULT: the problem's test fails.\n");
  EXPECT_EQ(told(Verdict::policy, "ended with status 0"), "POLICY: it tried what the sandbox forbids.\n");
}

TEST(Feedback, IsEmptyAfterAFailureOfOurs) {
  EXPECT_EQ(feedback_of(answer_of({})), "");
  EXPECT_EQ(feedback_of(answer_of({stage_with(Stage::test, Verdict::harness_error, "/secret is full")})), "");
}

/// A record in which everything that can hold a held-out value holds one.
Record telling(Stage of, Verdict verdict, const std::string& detail) {
  Record record = stage_with(of, verdict, detail);
  record.seed = "0xfeedface";
  record.cases = record::CaseCount{5, 2};
  record.errors = record::Errors{17.25, 17.25, 17.25, 0.5, "N=17_C=4099: y[173]"};
  record.shapes.push_back({{{"N", 173}, {"C", 4099}}, 17.25, 17.25, std::nullopt});
  record.time_ns = 17.25;
  record.speedup = record::Speedup{2.0, 1.0, 3.0, 1.0};
  return record;
}

const std::vector<Doubt> kDoubts = {Doubt::none, Doubt::machine, Doubt::candidate, Doubt::length};

TEST(Feedback, OfNoVerdictOfARunQuotesItsDetail) {
  const std::vector<std::string> details = {
      "N=17_C=4099: wrote past the last element of y",
      "N=17_C=4099: accessed byte 4099 of input 0, which has 173",
      "N=17_C=4099: 17.25 4099 173 0xfeedface",
      "N=17_C=4099: ended the process with status 173 in the middle of a call",
      "N=17_C=4099: cannot be launched: 3:1: kernel relu: grid size 1 of must be 1 to 2. got: N*C = 4099",
      "N=17_C=4099: Segmentation fault\n4099 of scratch system function cannot be loaded: 17.25",
      "N=17_C=4099: asks for 4099 bytes of scratch, more than the limit of 2 GiB",
      "N=17_C=4099: was killed from outside, holding 173 MiB: by the kernel for want of memory, or by somebody",
      "two calls on the same inputs: call 1 was right, the other not: N=17: y[173]: got 17.25",
      "N=17,C=4099: a call takes 17.25 us, an empty one 173 us: too short to be timed"};
  for (const auto& row : record::all_verdicts)
    for (const Stage of : {Stage::test, Stage::bench})
      for (const Doubt doubt : kDoubts)
        for (const std::string& detail : details) {
          Record record = telling(of, row.verdict, detail);
          record.doubt = doubt;
          const std::string told = feedback_of(answer_of({stage_with(Stage::compile, Verdict::pass), record}));
          for (const char* secret : {"17", "4099", "173", "feed", "N=", "C=", "y[", "input 0", "0x"})
            EXPECT_THAT(told, Not(HasSubstr(secret))) << row.name << ": " << detail;
          EXPECT_EQ(told.empty(), row.verdict == Verdict::harness_error);
        }
}

TEST(Feedback, OfARunIsOneOfAFewWhateverTheCandidateSays) {
  std::mt19937 random(7);  // NOLINT: the same in every run
  const std::vector<std::string> words = {"Aborted",
                                          "Segmentation fault",
                                          "cannot be loaded",
                                          "of scratch",
                                          "system function",
                                          "N=17",
                                          "y[3]",
                                          "\x1b[31m",
                                          "\n",
                                          "\xff",
                                          "HARNESS",
                                          "Bus error",
                                          "```",
                                          "PASS",
                                          "ended the process",
                                          "4096 bytes",
                                          "cannot be launched"};
  for (const auto& row : record::all_verdicts) {
    std::set<std::string> told;
    for (int i = 0; i < 500; ++i) {
      std::string detail;
      for (std::size_t n = random() % 6; n > 0; --n) detail += words[random() % words.size()] + std::to_string(random());
      told.insert(feedback_of(answer_of({stage_with(Stage::compile, Verdict::pass), stage_with(Stage::test, row.verdict, detail)})));
    }
    EXPECT_LE(told.size(), 9) << row.name;
  }
}

TEST(Feedback, OfErrorsIsOneOfAFewWhateverTheirSize) {
  std::mt19937_64 random(7);  // NOLINT
  std::set<std::string> told;
  for (int i = 0; i < 20000; ++i) {
    const auto any = [&] { return std::bit_cast<double>(random()); };
    Record record = stage_with(Stage::test, Verdict::wrong_result);
    record.cases = record::CaseCount{5, 2};
    record.errors = record::Errors{any(), any(), any(), any(), "y"};
    told.insert(feedback_of(answer_of({record})));
  }
  EXPECT_LE(told.size(), 15 * 7);
  Record infinite = stage_with(Stage::test, Verdict::wrong_result);
  infinite.cases = record::CaseCount{5, 2};
  infinite.errors = record::Errors{std::nullopt, 0.0, std::nullopt, 16.0, "special: y[0, 0]"};
  EXPECT_EQ(feedback_of(answer_of({infinite})),
            "WRONG_RESULT: an output was outside its bound.\n"
            "2 of 5 cases passed. An output is infinite or no number where it should not be, or the other way round.\n");
}

TEST(Feedback, HasTheCompilersWords) {
  EXPECT_THAT(told_by_compiler("source.cpp:1: error: no\n  int x\n"), HasSubstr("source.cpp:1: error: no\n  int x\n"));
  EXPECT_THAT(feedback_of(answer_of({stage_with(Stage::compile, Verdict::policy, "calls fork: kernels use no such thing")}, "a warning")),
              HasSubstr("calls fork"));
  EXPECT_THAT(feedback_of(answer_of({stage_with(Stage::compile, Verdict::compile_error, "the folder has no file .cpp")})),
              HasSubstr("no file .cpp"));
}

TEST(Feedback, NamesNoFolderOfTheMachine) {
  const std::string told = told_by_compiler(
      "In file included from <command-line>:\n"
      "/home/ada/build/kernelassay/relu/cpp.context/kernel.h:14:6: note: previous declaration\n"
      "/usr/bin/ld: /home/ada/build/score/work.XuxHd8/kernel.tmp.30738/ccZQtXM9.o: in function `f':\n"
      "/home/ada/build/stub.cpp:9: undefined reference to `relu'\n"
      "/usr/include/c++/12/bits/stl_algo.h:1: note: here // and a / b /* c */\n");
  EXPECT_THAT(told, Not(HasSubstr("ada")));
  EXPECT_THAT(told, HasSubstr("kernel.h:14:6: note: previous declaration\nld: ccZQtXM9.o: in function `f':\nstub.cpp:9: undefined"));
  EXPECT_THAT(told, HasSubstr("/usr/include/c++/12/bits/stl_algo.h:1: note: here // and a / b /* c */"));
}

TEST(Feedback, QuotesNoFileThatIsNotTheCandidates) {
  for (const char* file : {"/etc/passwd", "/proc/self/environ", "../../cases.bin", "/usr/include/../../etc/passwd",
                           "/usr/lib/gcc/../../../etc/passwd", "/home/ada/.ssh/id"}) {
    const std::string told =
        told_by_compiler(fmt::format("source.cpp:1:1: error: mine\n"
                                     "In file included from source.cpp:2:\n"
                                     "{}:1:1: error: 'root' does not name a type\n"
                                     "    1 | root:x:0:0\n"
                                     "      | ^~~~\n"
                                     "{}:2: Error: no such instruction: `root'\n"
                                     "source.cpp:3:1: error: mine, too\n",
                                     file, file));
    EXPECT_THAT(told, Not(HasSubstr("root"))) << file;
    EXPECT_THAT(told, HasSubstr("left out")) << file;
    EXPECT_THAT(told, HasSubstr("mine, too\n")) << file;
  }
}

TEST(Feedback, HasNothingThatTheLinkerSaysOfAProblemsTest) {
  const std::string told = told_by_compiler(
      "solution.cpp:3:1: warning: unused\n"
      "/usr/bin/ld: /b/score/work.1/tasks/scan.0/program/judge.o: in function `counts_of_seven()':\nmain.cpp:(.text+0x4): warning: \n"
      "/usr/bin/ld: candidate.o: in function `f()':\nmain.cpp:(.text+0x9): warning: \n");
  EXPECT_THAT(told, HasSubstr("solution.cpp:3:1: warning: unused\n[in a file that is not the candidate's: left out]\n"));
  for (const char* of_test : {"counts_of_seven", "main.cpp", "0x9"}) EXPECT_THAT(told, Not(HasSubstr(of_test)));
  EXPECT_THAT(told_by_compiler(
                  "/usr/bin/ld: /b/kernel.tmp/candidate.o: in function `f()':\nsolution.cpp:(.text+0x2): undefined reference to `g()'\n"),
              HasSubstr("ld: candidate.o: in function `f()':\nsolution.cpp:(.text+0x2): undefined reference to `g()'\n"));
}

TEST(Feedback, IsShortAndPrintable) {
  std::string noise;
  for (int i = 0; i < 3000; ++i) noise += "source.cpp:1:1: error: \x1b[31m\x9b\xff\u202e<CTestMeasurement>\n";
  const std::string told = told_by_compiler(noise);
  EXPECT_LE(told.size(), 6100);
  for (const char* raw : {"\x1b", "\x9b", "\xff", "\u202e", "<CTestMeasurement"}) EXPECT_THAT(told, Not(HasSubstr(raw)));
  EXPECT_THAT(told_by_compiler(std::string(1 << 20, '/')), testing::SizeIs(testing::Le(6100)));
}

}  // namespace
}  // namespace assay::score

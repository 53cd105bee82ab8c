// SPDX-License-Identifier: Apache-2.0
#include "declaration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <stdexcept>

#include "temporary_folder.h"

namespace assay {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class ReadDeclaration : public testing::Test {
 protected:
  Declaration read(const std::string& text, bool honest = false) {
    const std::filesystem::path file = folder_ / "cheat.cpp";
    std::ofstream(file) << text;
    return read_declaration(file, honest);
  }
  void expect_error(const std::string& text, const std::string& message) {
    try {
      read(text);
      FAIL() << "accepted: " << text;
    } catch (const std::runtime_error& error) {
      EXPECT_THAT(error.what(), HasSubstr(message));
    }
  }

 private:
  const TemporaryFolder folder_;
};

TEST_F(ReadDeclaration, TakesEveryKey) {
  const Declaration declaration = read(
      "// SPDX-License-Identifier: Apache-2.0\n// cheat: 24\n// task: relu\n// stage: bench\n// expect: "
      "PASS|CRASH\n"
      "// because: one\n// because: two\n// elsewhere: TIMEOUT|CRASH\n// reduced: POLICY\n// gains: nothing\n// Ends here.\n// stage: "
      "test\n");
  EXPECT_EQ(declaration.task, "relu");
  EXPECT_EQ(declaration.stage, "bench");
  EXPECT_THAT(declaration.expect, ElementsAre("PASS", "CRASH"));
  EXPECT_THAT(declaration.because, ElementsAre("one", "two"));
  EXPECT_THAT(declaration.elsewhere, ElementsAre("TIMEOUT", "CRASH"));
  EXPECT_THAT(declaration.reduced, ElementsAre("POLICY"));
  EXPECT_TRUE(declaration.gains_nothing);
}

TEST_F(ReadDeclaration, HonestKernelsPassTheTestStage) {
  const Declaration declaration = read("// task: relu\n", true);
  EXPECT_EQ(declaration.stage, "test");
  EXPECT_THAT(declaration.expect, ElementsAre("PASS"));
  EXPECT_FALSE(declaration.gains_nothing);
}

TEST_F(ReadDeclaration, RefusesWhatItDoesNotKnow) {
  const std::string good = "// cheat: 1\n// task: relu\n// stage: test\n// expect: CRASH\n";
  EXPECT_NO_THROW(read(good));
  expect_error("// cheat: 1\n// task: relu\n// stage: test\n", "key 'expect' is missing");
  expect_error("// task: relu\n// stage: test\n// expect: CRASH\n", "key 'cheat' is missing");
  expect_error(good + "// task: relu\n", "key 'task' appears more than once");
  expect_error(good + "// becuase: x\n", "unknown key 'becuase'");
  expect_error(good + "// gains: much\n", "gains: nothing, or leave it out");
  expect_error(good + "// gains: nothing\n", "gains: nothing is for stage: bench");
  expect_error("// cheat: 1\n// task: relu\n// stage: bench\n// expect: CRASH\n// gains: nothing\n", "gains: nothing is for expect: PASS");
  expect_error("// cheat: 1\n// task: relu\n// stage: bench\n// expect: PASS|INCONCLUSIVE\n// gains: nothing\n",
               "INCONCLUSIVE says nothing of a cheat");
  expect_error("// cheat: 1\n// task: relu\n// stage: link\n// expect: CRASH\n", "unknown stage 'link'");
  expect_error("// cheat: 1\n// task: relu\n// stage: test\n// expect: CRASH|HARNESS_ERROR\n", "unknown verdict 'HARNESS_ERROR'");
}

TEST_F(ReadDeclaration, AsksWhyAResultIsWrong) {
  for (const std::string verdicts : {"WRONG_RESULT", "CRASH|WRONG_RESULT"}) {
    const std::string wrong = "// cheat: 1\n// task: relu\n// stage: test\n// expect: " + verdicts + "\n";
    expect_error(wrong, "expects WRONG_RESULT and has no 'because'");
    EXPECT_NO_THROW(read(wrong + "// because: got nan\n"));
  }
}

TEST(Says, FindsPiecesAndTakesNumbersWhereTheyStand) {
  const std::string detail = "smallest: y[0, 12]: got -1.5, expected 2.5e-07 (error 3e+04, bound 16 units of u*scale)";
  for (const char* piece : {"y[0, 12]", "y[0, <number>]: got <number>, expected <number> (error <number>, ", "u*scale)", "got -"})
    EXPECT_TRUE(says(detail, piece)) << piece;
  for (const char* piece : {"y[0, 1.]", "error <number>)", "<number>: got nan", "u.scale"}) EXPECT_FALSE(says(detail, piece)) << piece;
  for (const std::string got : {"nan", "-nan", "inf", "-inf"}) EXPECT_FALSE(says("got " + got + ", expected", "got <number>,")) << got;
}

}  // namespace
}  // namespace assay

// SPDX-License-Identifier: Apache-2.0
// Answers of models, as awkward as they come: answers/<name>.md, and what is taken from each in answers/<name>.expected. The backend is the
// suffix before .md, or C++; `problem` is one with tests of its own, whose solution is solution.cpp, and `python` one in Python. After a
// change that is meant:
// ASSAY_WRITE_EXPECTED=1 generate_test, then read the difference.
#include "assay/generate/answer.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <fstream>
#include <sstream>

#include "assay/record/printable.h"
#include "read_file.h"
#include "temporary_folder.h"

namespace assay::generate {
namespace {

namespace fs = std::filesystem;

const AnswerForm kCpp{".cpp", "relu"};
const AnswerForm kProblem{".cpp", "", {"solution.cpp"}, {"include/scan.h"}};
const AnswerForm kPython{".py", "", {"solution.py"}, {"helper.py"}};

std::string shown(const Answer& answer) {
  std::string text;
  for (const TakenFile& file : answer.files)
    text += fmt::format("== {}: {}\n{}", file.name.empty() ? "the file" : file.name, file.why, file.text);
  for (const std::string& note : answer.notes) text += fmt::format("-- {}\n", note);
  if (!answer.fault.empty()) text += fmt::format("!! {}\n", answer.fault);
  return text;
}

std::vector<fs::path> awkward_answers() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(ANSWERS_FOLDER))
    if (entry.path().extension() == ".md") files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

class AwkwardAnswer : public testing::TestWithParam<fs::path> {};

TEST_P(AwkwardAnswer, IsReadAsExpected) {
  const std::string backend = GetParam().stem().extension().string();
  const AnswerForm form = backend.empty()         ? kCpp
                          : backend == ".problem" ? kProblem
                          : backend == ".python"  ? kPython
                                                  : AnswerForm{backend, ""};
  const Answer answer = read_answer(read_file(GetParam()), form);
  const fs::path expected = fs::path(GetParam()).replace_extension(".expected");
  if (std::getenv("ASSAY_WRITE_EXPECTED") != nullptr) std::ofstream(expected, std::ios::binary) << shown(answer);
  EXPECT_EQ(shown(answer), read_file(expected));
  EXPECT_EQ(answer.files.empty(), !answer.fault.empty());
  for (const std::string& note : answer.notes) EXPECT_EQ(note, record::printable(note));
  EXPECT_EQ(answer.fault, record::printable(answer.fault));
}

INSTANTIATE_TEST_SUITE_P(Answers, AwkwardAnswer, testing::ValuesIn(awkward_answers()), [](const testing::TestParamInfo<fs::path>& answer) {
  std::string name = answer.param.stem().string();
  std::ranges::replace(name, '.', '_');
  return name;
});

TEST(Answers, AreMoreThanSixty) { EXPECT_GE(awkward_answers().size(), 60); }

/// Names of what is below `folder`, sorted.
std::vector<std::string> below(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) names.push_back(fs::relative(entry.path(), folder).string());
  std::ranges::sort(names);
  return names;
}

TEST(Candidate, IsAFileOrAFolder) {
  const TemporaryFolder folder;
  const Answer one = read_answer(read_file(fs::path(ANSWERS_FOLDER) / "plain.md"), kCpp);
  const Answer several = read_answer(read_file(fs::path(ANSWERS_FOLDER) / "two_files.md"), kCpp);
  write_candidate(one, folder / "relu", 7, kCpp);
  EXPECT_THAT(below(folder.path()), testing::ElementsAre("relu", "relu/007.cpp"));
  write_candidate(several, folder / "relu", 7, kCpp);
  EXPECT_THAT(below(folder.path()),
              testing::ElementsAre("relu", "relu/007", "relu/007/positive.cpp", "relu/007/relu.cpp", "relu/007/relu.h"));
  EXPECT_EQ(read_file(folder / "relu/007/positive.cpp"), "float positive(float v) { return v > 0 ? v : 0; }\n");
  write_candidate(one, folder / "relu", 7, kCpp);
  EXPECT_THAT(below(folder.path()), testing::ElementsAre("relu", "relu/007.cpp"));
  EXPECT_THROW(write_candidate(one, folder / "relu", 1000, kCpp), std::runtime_error);
}

TEST(Candidate, OfASolutionOfSeveralFilesIsAFolderEvenOfOne) {
  const AnswerForm form{".cu", "", {"host.cpp", "device.cu"}};
  const std::string device = "// file: device.cu\n__global__ void step(float*) {}\n";
  const TemporaryFolder folder;
  write_candidate(read_answer("```cuda\n" + device + "```\n", form), folder / "steps", 0, form);
  write_candidate(read_answer("```cuda\n" + device + "```\n```cpp\n// file: host.cpp\nvoid steps() {}\n```\n", form), folder / "steps", 1,
                  form);
  EXPECT_THAT(below(folder.path()),
              testing::ElementsAre("steps", "steps/000", "steps/000/device.cu", "steps/001", "steps/001/device.cu", "steps/001/host.cpp"))
      << "and each source keeps its suffix";
}

TEST(Candidate, NoAnswerWritesOutsideOfItsFolder) {
  const TemporaryFolder folder;
  int written = 0;
  for (const fs::path& file : awkward_answers()) {
    const Answer answer = read_answer(read_file(file), kCpp);
    if (!answer.fault.empty()) continue;
    write_candidate(answer, folder / "run" / "relu", written++, kCpp);
  }
  EXPECT_GT(written, 50);
  for (const std::string& name : below(folder.path()))
    EXPECT_THAT(name, testing::MatchesRegex("run(/relu(/[0-9]+([.]cpp|/[A-Za-z0-9_.-]+)?)?)?"));
}

TEST(Candidate, RefusesNamesThatItDidNotMake) {
  const TemporaryFolder folder;
  for (const char* name : {"../x.cpp", "/x.cpp", "a/b.cpp", ".x", "kernel.h", ""}) {
    const Answer forged{{{"a.cpp", "", ""}, {name, "x", ""}}, {}, ""};
    EXPECT_THROW(write_candidate(forged, folder / "relu", 0, kCpp), std::runtime_error) << name;
  }
}

/// Megabytes that make other parsers quadratic, and depth that overflows a stack.
TEST(Answers, OfAnyShapeTakeLittleTime) {
  const auto begin = std::chrono::steady_clock::now();
  for (const char* unit :
       {"[",       "![[]()",  "> ",   "- ",    "`",    "```\n", "<think>\n", "</think>\n", "{",
        "((",      "#if\n",   "\"",   "/*",    "R\"(", "a**b",  "<|",        "// a.h\n",   "```cpp\n// a.h\nint a;\n```\n",
        "> ```\n", "\x1b[2J", "\xff", "<think"}) {
    std::string text;
    while (text.size() < 1'000'000) text += unit;
    EXPECT_NO_THROW(read_answer(text, kCpp)) << unit;
    EXPECT_NO_THROW(read_answer("```cpp\n" + text, kCpp)) << unit;
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::minutes(2)) << "hours, where one is quadratic";
}

TEST(Answers, HaveALimit) {
  EXPECT_THAT(read_answer(std::string(kMostAnswerBytes + 1, 'x'), kCpp).fault, testing::HasSubstr("more than"));
  const std::string source = "```cpp\nvoid relu() {}\n//" + std::string(kMostSourceBytes, 'x') + "\n```\n";
  EXPECT_THAT(read_answer(source, kCpp).fault, testing::HasSubstr("more than"));
}

}  // namespace
}  // namespace assay::generate

// SPDX-License-Identifier: Apache-2.0
#include "assay/generate/example_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "temporary_folder.h"

namespace assay::generate {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

class ExampleFolderTest : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }

  std::vector<std::string> nearest(const std::string& query, const std::string& task = "unrelated",
                                   const std::vector<std::string>& family = {}, std::size_t count = 10) const {
    std::vector<std::string> paths;
    const ExampleFolder folder(folder_.path(), ".cpp");
    for (const auto& [example, score] : folder.nearest(query, task, family, count)) paths.push_back(example->path);
    return paths;
  }

  const TemporaryFolder folder_;
};

/// ln(1 + 1.5 / 1.5) * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 3 / 2.5)) = 0.90232
TEST_F(ExampleFolderTest, ScoresAsWorkedOutByHand) {
  write("a.md", "relu relu fast");
  write("b.md", "tanh slow");
  const ExampleFolder folder(folder_.path(), ".cpp");
  const auto found = folder.nearest("RELU, relu", "unrelated", {}, 10);
  ASSERT_EQ(found.size(), 1);
  EXPECT_NEAR(found.front().score, std::log(2.0) * 4.4 / 3.38, 1e-12);
}

TEST_F(ExampleFolderTest, TakesTheNearestFirst) {
  write("often.md", "softmax exp exp row");
  write("once.md", "softmax exp norm row");
  write("long.md", "exp lorem ipsum dolor sit amet consectetur adipiscing elit sed do");
  write("none.md", "matrix product");
  EXPECT_THAT(nearest("exp"), ElementsAre("often.md", "once.md", "long.md"));
  EXPECT_THAT(nearest("exp", "unrelated", {}, 2), ElementsAre("often.md", "once.md"));
  EXPECT_THAT(nearest("product of exp"), testing::Contains("none.md"));
  EXPECT_THAT(nearest("nowhere"), ElementsAre());
}

TEST_F(ExampleFolderTest, CountsARareWordForMore) {
  write("a.md", "float loop rare");
  write("b.md", "float loop alpha");
  write("c.md", "float loop beta");
  EXPECT_EQ(nearest("float rare").front(), "a.md");
}

TEST_F(ExampleFolderTest, LeavesTheTaskAndItsVariantsOut) {
  for (const char* name :
       {"relu.cpp", "relu_bfloat16.cpp", "leaky_relu.md", "relu/000.cpp", "runs/relu/001.cpp", "relu.cpp.003.md", "other.md", "prelude.md"})
    write(name, std::string("fast kernel ") + name);
  EXPECT_THAT(nearest("fast kernel", "relu"), testing::UnorderedElementsAre("other.md", "prelude.md"));
  EXPECT_THAT(nearest("fast kernel", "relu", {"relu", "other"}), ElementsAre("prelude.md"));
  EXPECT_THAT(nearest("fast kernel", "fast_relu_bfloat16"), testing::IsSupersetOf({"other.md", "prelude.md", "leaky_relu.md"}));
  EXPECT_THAT(nearest("fast kernel", "fast_relu_bfloat16"), testing::Not(testing::Contains("relu_bfloat16.cpp")));
}

TEST_F(ExampleFolderTest, LeavesOutWhatHoldsTheTasksFunction) {
  write("answers.md", "fast kernel: void relu (const float* x);");
  write("calls.md", "fast kernel: unlike relu, and relu_(x)");
  EXPECT_THAT(nearest("fast kernel", "relu"), ElementsAre("calls.md"));
}

TEST_F(ExampleFolderTest, LeavesNearDuplicatesOut) {
  std::string text = "exp";
  for (int i = 0; i < 100; ++i) text += " word" + std::to_string(i);
  write("a.md", text);
  write("again.md", "/* " + text + " */ more");
  write("half.md", text.substr(0, text.size() / 2));
  EXPECT_THAT(nearest("exp word1 more"), testing::UnorderedElementsAre("again.md", "half.md"));
}

/// What is left out counts for nothing: an example in the folder changes no other task's choice by being there.
TEST_F(ExampleFolderTest, RanksAsIfWhatIsLeftOutWereNotThere) {
  write("a.md", "exp row row");
  write("b.md", "row exp norm sum");
  const ExampleFolder without(folder_.path(), ".cpp");
  write("relu.md", "norm norm norm row exp exp exp exp exp");
  const ExampleFolder with(folder_.path(), ".cpp");
  const auto one = without.nearest("exp row norm", "relu", {}, 9), two = with.nearest("exp row norm", "relu", {}, 9);
  ASSERT_EQ(one.size(), 2);
  ASSERT_EQ(two.size(), 2);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(one[i].example->path, two[i].example->path);
    EXPECT_EQ(one[i].score, two[i].score);
  }
}

TEST_F(ExampleFolderTest, ReadsFilesOfItsOwnAlone) {
  const TemporaryFolder elsewhere;
  std::ofstream(elsewhere / "secret.md") << "fast secret";
  write("in.md", "fast kernel");
  write("notes.txt", "fast notes");
  write("kernel.cl", "fast device");
  write("long.md", "fast " + std::string(kMostExampleBytes, 'x'));
  fs::create_symlink(elsewhere / "secret.md", folder_ / "link.md");
  fs::create_directory_symlink(elsewhere.path(), folder_ / "linked");
  EXPECT_THAT(nearest("fast"), ElementsAre("in.md"));
}

TEST_F(ExampleFolderTest, SaysWhatIsWrongWithIt) {
  EXPECT_THROW(ExampleFolder(folder_ / "missing", ".cpp"), std::runtime_error);
  EXPECT_THROW(ExampleFolder(folder_.path(), ".cpp"), std::runtime_error);
  write("file.md", "x");
  EXPECT_THROW(ExampleFolder(folder_ / "file.md", ".cpp"), std::runtime_error);
}

TEST_F(ExampleFolderTest, TakesAnyBytes) {
  write("bytes.md", std::string("fast \0\xff\xfe ```", 13));
  write("empty.md", "");
  EXPECT_THAT(nearest("fast \xff"), ElementsAre("bytes.md"));
}

}  // namespace
}  // namespace assay::generate

// SPDX-License-Identifier: Apache-2.0
#include "assay/spec/suite.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "temporary_folder.h"

namespace assay::spec {
namespace {

using Names = std::vector<std::string>;

class Suites : public testing::Test {
 protected:
  void write(const std::string& path, const std::string& text) const {
    std::filesystem::create_directories((tasks() / path).parent_path());
    std::ofstream(tasks() / path) << text;
  }
  std::filesystem::path tasks() const { return folder_.path() / "tasks"; }
  std::string refusal(const std::string& text) const {
    write("suites/bad.yaml", text);
    try {
      load_suite(tasks() / "suites/bad.yaml");
    } catch (const SpecError& error) {
      return error.what();
    }
    return "accepted";
  }

  void SetUp() override {
    write("suites/some.yaml",
          "title: Some\nsource: a paper\nversion: \"1\"\nrows:\n  Unary: [Cos, Sin, Tan]\n  Other: [Relu]\nwithout: {Tan: it has poles}\n");
    write("math/unary.yaml",
          "suites: [mine]\ntypes: [float, int8]\ntasks:\n  cosine: {suites: {some: [Cos]}}\n  sine: {types: [float], suites: {some: [Sin, "
          "Cosec]}}\n  tangent: {types: [float]}\n");
    write("activation/relu/task.yaml", "suites: {some: [Relu], mine: []}\n");
    write("activation/notes/README.md", "no task\n");
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(Suites, ListTasksWithoutTheirModels) {
  const auto listed = list_tasks(tasks());
  Names names;
  for (const ListedTask& task : listed) names.push_back(task.category + "/" + task.name);
  EXPECT_EQ(names, (Names{"activation/relu", "math/cosine", "math/cosine_int8", "math/sine", "math/tangent"}));
  EXPECT_EQ(listed[0].suites, (SuiteRows{{"mine", {}}, {"some", {"Relu"}}}));
  EXPECT_EQ(listed[1].from.text(), (tasks() / "math/unary.yaml").string() + "#cosine");
  EXPECT_EQ(listed[4].suites, (SuiteRows{{"mine", {}}}));
}

TEST_F(Suites, SayWhichTasksServeTheirRows) {
  const auto suites = load_suites(tasks());
  ASSERT_EQ(suites.size(), 1u);
  EXPECT_EQ(suites[0].title, "Some");
  EXPECT_EQ(suites[0].without, (std::map<std::string, std::string>{{"Tan", "it has poles"}}));
  const Coverage covered = coverage(suites[0], list_tasks(tasks()));
  EXPECT_EQ(covered.tasks_of_row, (SuiteRows{{"Cos", {"cosine", "cosine_int8"}}, {"Relu", {"relu"}}, {"Sin", {"sine"}}, {"Tan", {}}}));
  EXPECT_EQ(covered.unknown, (Names{(tasks() / "math/unary.yaml").string() + "#sine: Cosec"}));
}

TEST_F(Suites, ListTasksInsteadOfRows) {
  write("suites/own.yaml", "title: Own\ntasks:\n  activation: [relu]\n  math: [sine, cosecant]\n");
  const Suite own = load_suite(tasks() / "suites/own.yaml");
  EXPECT_TRUE(own.lists_tasks);
  const Coverage covered = coverage(own, list_tasks(tasks()));
  EXPECT_EQ(covered.tasks_of_row, (SuiteRows{{"cosecant", {}}, {"relu", {"relu"}}, {"sine", {"sine"}}}));
  EXPECT_TRUE(covered.unknown.empty());
  EXPECT_EQ(refusal("title: x\ntasks: {A: [a]}\nrows: {A: [a]}\n"),
            (tasks() / "suites/bad.yaml").string() + ":3:7: suite: 'rows' is of a suite with rows. do: remove it, or 'tasks'");
}

TEST_F(Suites, RefuseBadFiles) {
  const std::string path = (tasks() / "suites/bad.yaml").string(), head = "title: x\nsource: y\nversion: \"1\"\n";
  EXPECT_EQ(refusal(head + "rows: {A: [a, b], B: [a]}\n"), path + ":4:22: rows: B: 'a' is there twice. do: remove one");
  EXPECT_EQ(refusal(head), path + ":1:1: suite: key 'rows' is missing");
  EXPECT_EQ(refusal(head + "rows: {}\ncolour: red\n"),
            path + ":5:1: suite: unknown key 'colour'. known: title source version rows tasks without shapes inputs profile");
  EXPECT_EQ(refusal(head + "rows: {A: [a]}\nwithout: {b: no sum}\n"),
            path + ":5:11: without: 'b' is none of the rows. do: correct it, or remove it");
  EXPECT_EQ(refusal(head + "rows: {A: [a]}\nwithout: {a: its result is its input}\n"), "accepted");
  EXPECT_EQ(refusal(head + "rows: {A: [a]}\nwithout:\n  ? [a]\n  : why\n"),
            path + ":6:5: a key must be a word, got a list, a mapping or nothing");
  EXPECT_EQ(refusal(head + "rows: {A: [a]}\nwithout: [a]\n"), path + ":5:10: without: must be a mapping. known keys: ");
  EXPECT_EQ(refusal(head + "rows: {A: [a]}\nshapes: {b: {N: 1}}\n"),
            path + ":5:10: shapes: 'b' is none of the rows. do: correct it, or remove it");
  EXPECT_EQ(refusal(head + "rows: {A: [a]}\nshapes: {a: {N: 0}}\n"), path + ":5:17: shapes: a: N must be at least 1, got 0");
  EXPECT_EQ(refusal(head + "rows: {A: [a]}\nshapes: {a: [{N: 1}, 2]}\n"), path + ":5:22: shapes: a: must be a mapping. known keys: ");
  EXPECT_EQ(refusal(head + "rows: {A: [a]}\nshapes: {a: [{N: 1}, {N: 2}]}\n"), "accepted");
  write("math/odd.yaml", "suites: [x]\n");
  EXPECT_THROW(list_tasks(tasks()), SpecError) << "neither a family nor a task.yaml";
  EXPECT_THROW(list_tasks(tasks() / "nowhere"), SpecError);
}

/// A task that serves two rows, and the file of their suite with these shapes.
class ShapesOfSuites : public Suites {
 protected:
  void SetUp() override {
    write("math/copy/task.yaml",
          "summary: A task.\ndifficulty: 1\nsuites: {some: [Copy, Move], other: [Copy]}\nmodel: |\n  copy (float[N, 2*M] x) => (float[N, "
          "2*M] y) "
          "{ y = Identity(x) }\ndims: {N: 3, M: [1, 40]}\ntiming: {cpu: {dims: {N: 3, M: 64}}}\n");
  }
  /// "N M" of each shape that the task has in the suite; or why it has none.
  std::string shapes(const std::string& text) {
    write("suites/some.yaml", "title: Some\nsource: a paper\nversion: \"1\"\nrows: {A: [Copy, Move, Swap]}\n" + text);
    const TaskFile from = tasks() / "math/copy/task.yaml";
    Task task = load_task(from);
    try {
      add_rows(task, load_suite(suite_file(from, "some")));
    } catch (const SpecError& error) {
      return error.what();
    }
    if (!task.timing.contains("some")) return "none";
    std::string all;
    for (const DimRanges& shape : task.timing.at("some"))
      all += fmt::format("{} {};", shape.at("N").low, shape.at("M").constant() ? shape.at("M").high : 0);
    return all;
  }
};

TEST_F(ShapesOfSuites, AreThoseOfTheRowsThatATaskServes) {
  EXPECT_EQ(shapes("shapes: {Copy: {N: 3, M: 5}, Swap: {N: 3, M: 9}, Move: [{M: 7}, {N: 3, M: 5}]}\n"), "3 5;3 7;");
  EXPECT_EQ(shapes("shapes: {Swap: {Q: 9}}\n"), "none") << "the row of another task";
  EXPECT_EQ(shapes(""), "none");
  EXPECT_EQ(suite_file(tasks() / "math/unary.yaml#sine", "some"), tasks() / "suites/some.yaml");
}

TEST_F(ShapesOfSuites, NameEachDimensionOfTheTaskAndNoOther) {
  const std::string path = (tasks() / "suites/some.yaml").string();
  EXPECT_EQ(shapes("shapes: {Copy: {M: 5, K: 2}}\n"), path + ":5:10: shapes: Copy: 'K' is no dimension of copy. known: N M");
  EXPECT_EQ(shapes("shapes: {Move: {N: 5}}\n"), path + ":5:10: shapes: Move: dimension 'M' of copy is not given");
  EXPECT_EQ(unsuitable_rows(load_suite(path), list_tasks(tasks())),
            (Names{path + ":5:10: shapes: Move: dimension 'M' of copy is not given"}));
  EXPECT_EQ(shapes("shapes: {Move: {M: 2305843009213693952}}\n"),
            path + ":5:10: shapes: Move: no machine holds an input of shape [3, 4611686018427387904]");
}

TEST_F(ShapesOfSuites, ComeWithTheInputsOfTheirRows) {
  const auto rows = [&](const std::string& inputs) {
    shapes("shapes: {Copy: [{N: 3, M: 5}, {N: 3, M: 6}], Move: {N: 3, M: 5}}\ninputs: " + inputs + "\n");
    const TaskFile from = tasks() / "math/copy/task.yaml";
    Task task = load_task(from);
    add_rows(task, load_suite(suite_file(from, "some")));
    std::string all;
    for (const Case& row : task.rows.at("some"))
      all += fmt::format("{} {} {};", row.name, row.dims.at("M").low, row.inputs.contains("x") ? row.inputs.at("x").kind : "-");
    return all;
  };
  EXPECT_EQ(rows("{Move: zeros}"), "Copy 5 -;Copy 2 6 -;Move 5 zeros;") << "of all real inputs";
  EXPECT_EQ(rows("{Copy: {init: uniform, low: 1, high: 2}}"), "Copy 5 uniform;Copy 2 6 uniform;Move 5 -;");
  EXPECT_EQ(rows("{Copy: {x: {init: uniform}}}"), "Copy 5 uniform;Copy 2 6 uniform;Move 5 -;");
  EXPECT_EQ(rows("{Copy: zeros, Move: {x: zeros}}"), "Copy 5 zeros;Copy 2 6 zeros;") << "none twice";
  const std::string path = (tasks() / "suites/some.yaml").string(), shape = "shapes: {Copy: {N: 3, M: 5}}\ninputs: ";
  EXPECT_EQ(shapes(shape + "{Copy: {z: ones}}\n"), path + ":6:17: inputs: Copy: unknown key 'z'. known: x");
  EXPECT_THAT(shapes(shape + "{Copy: noraml}\n"), testing::StartsWith(path + ":6:16: inputs: Copy: unknown init 'noraml'. known: "));
  EXPECT_EQ(shapes(shape + "{Move: ones}\n"), path + ":6:10: inputs: Move: has no shape. do: give it one under shapes, or remove it");
}

TEST(ShapesOfThisRepository, SuitTheTasksOfTheirRows) {
  const std::vector<ListedTask> tasks = list_tasks(TASKS_FOLDER);
  std::size_t shaped = 0;
  for (const Suite& suite : load_suites(TASKS_FOLDER)) {
    EXPECT_EQ(unsuitable_rows(suite, tasks), Names());
    shaped += suite.shapes.size();
  }
  EXPECT_GT(shaped, 200u);
}

}  // namespace
}  // namespace assay::spec

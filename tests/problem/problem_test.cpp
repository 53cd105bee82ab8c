// SPDX-License-Identifier: Apache-2.0
#include "assay/problem/problem.h"

#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "assay/problem/problem_folder.h"
#include "records.h"
#include "temporary_folder.h"

namespace assay::problem {
namespace {

using nlohmann::ordered_json;
using testing::ElementsAre, testing::HasSubstr;

std::string error_of(const ordered_json& record) {
  try {
    read_record(record, "pack: line 3");
  } catch (const ProblemError& error) {
    return error.what();
  }
  return "";
}

std::string error_of_path(const std::string& path) {
  try {
    require_plain_path(path, "x");
  } catch (const ProblemError& error) {
    return error.what();
  }
  return "";
}

TEST(Problem, IsReadWithAllItsFields) {
  const Problem problem = read_record(whole_record(), "pack");
  EXPECT_EQ(problem.id, "CUDA/1");
  EXPECT_EQ(problem.difficulty, "hard");
  EXPECT_THAT(problem.tags, ElementsAre("a-tag"));
  EXPECT_THAT(problem.test, ElementsAre(TextFile{"test/z.cpp", "int main() {}\n"}, TextFile{"test/a.h", ""}));
  EXPECT_THAT(*problem.references->all, ElementsAre("cudaMalloc"));
  EXPECT_FALSE(problem.references->any);
  EXPECT_EQ(problem.seconds().count(), 60);
  EXPECT_EQ(problem.solution.size(), 1u);
}

TEST(Problem, ReferencesMayBeATextOrAList) {
  ordered_json record = whole_record();
  record["source_references"] = "a";
  EXPECT_THAT(*read_record(record, "p").references->all, ElementsAre("a"));
  record["source_references"] = {"a", "b"};
  EXPECT_THAT(*read_record(record, "p").references->all, ElementsAre("a", "b"));
  EXPECT_EQ(complete_record(record)["source_references"].dump(), R"({"any":null,"all":["a","b"]})");
  record["source_references"] = ordered_json::object();
  EXPECT_THAT(error_of(record), HasSubstr("pack: line 3: CUDA/1: source_references must have any or all. got: {}"));
}

TEST(Problem, CompleteRecordsStayAsTheyAre) {
  EXPECT_EQ(complete_record(whole_record()).dump(), whole_record().dump());
  ordered_json record = whole_record();
  for (const char* key : {"schema_version", "source_references", "timing_mode", "compute_capability", "timeout_seconds"}) record.erase(key);
  record["arch_list"] = {"sm_80"};
  record["context_files"][0]["language"] = "c";
  const ordered_json complete = complete_record(record);
  EXPECT_EQ(complete["compute_capability"], "8.0");  // where the key is missing; null is no demand
  EXPECT_EQ(complete["timing_mode"].dump(), R"({"type":"process"})");
  EXPECT_EQ(complete["context_files"], whole_record()["context_files"]);
  EXPECT_FALSE(complete.contains("arch_list"));
  EXPECT_EQ(complete.begin().key(), "type");
}

TEST(Problem, OfAnotherShapeIsRefused) {
  struct Fault {
    const char* key;
    ordered_json value;
    const char* said;
  };
  const Fault faults[] = {
      {"type", "fortran", "type must be cuda_cpp or cuda_python. got: fortran"},
      {"type", 1, "type must be a text. got: number"},
      {"test_command", nullptr, "test_command must be a text. got: null"},
      {"timeout_seconds", -1, "timeout_seconds must be above 0"},
      {"timeout_seconds", "60", "timeout_seconds must be a number. got: string"},
      {"metadata", {1}, "metadata must be an object. got: array"},
      {"context_files", "x", "context_files must be a list of at most 1000 files. got: string"},
      {"test_files", {{{"path", "a"}}}, "content is missing"},
      {"test_files", {{{"path", "a"}, {"content", ""}}, {{"path", "a"}, {"content", ""}}}, "names a file twice. got: a"},
      {"test_files", {{{"path", "a"}, {"content", ""}}, {{"path", "a/b"}, {"content", ""}}}, "a file and a folder of one name"},
      {"source_references", {1}, "must be a list of texts. got: number"},
      {"requires_datacenter_gpu", "no", "must be true or false"},
      {"baseline_solution", {{"files", {{{"path", "/etc/x"}, {"content", ""}}}}}, "the path '/etc/x' is absolute"}};
  for (const auto& [key, value, said] : faults) {
    ordered_json record = whole_record();
    record[key] = value;
    EXPECT_THAT(error_of(record), HasSubstr(said)) << key;
  }
  EXPECT_THAT(error_of({1}), HasSubstr("pack: line 3: a problem must be an object. got: array"));
  const ordered_json before_packs = {{"task_id", "CUDA/0"}, {"prompt", ""}, {"cc_flags", ""}, {"declaration", ""}, {"test", ""}};
  EXPECT_THAT(error_of(before_packs), HasSubstr("CUDA/0: is of the format before packs"));
}

TEST(Problem, PathsLieBelowTheFolder) {
  for (const char* good : {"a", "include/a.h", "a b/c+d.cu", "test/test_1.cu"}) EXPECT_EQ(error_of_path(good), "") << good;
  EXPECT_THAT(error_of_path("../a"), HasSubstr("climbs"));
  EXPECT_THAT(error_of_path("a/../../b"), HasSubstr("climbs"));
  EXPECT_THAT(error_of_path("/a"), HasSubstr("is absolute"));
  EXPECT_THAT(error_of_path("a//b"), HasSubstr("an empty part"));
  EXPECT_THAT(error_of_path("a/"), HasSubstr("an empty part"));
  EXPECT_THAT(error_of_path("./a"), HasSubstr("begins with a dot"));
  EXPECT_THAT(error_of_path(".bashrc"), HasSubstr("begins with a dot"));
  EXPECT_THAT(error_of_path("-o"), HasSubstr("begins with a dash"));
  for (const std::string& bad :
       {std::string("a\nb"), std::string("a\x01b"), std::string("a\\b"), std::string("a;b"), std::string("$(x)"), std::string("\xc3\xa4")})
    EXPECT_THAT(error_of_path(bad), HasSubstr("has other characters")) << bad;
  EXPECT_THAT(error_of_path(std::string(201, 'a')), HasSubstr("1 to 200 bytes"));
}

TEST(Problem, DeepJsonIsRefusedBeforeItHurts) {
  const std::string deep = std::string(1'000'000, '[');
  EXPECT_THROW(parse_json(deep, "x"), ProblemError);
  EXPECT_THROW(parse_json("{", "x"), ProblemError);
  EXPECT_EQ(parse_json(R"({"a":[1]})", "x").dump(), R"({"a":[1]})");
}

TEST(Problem, IdsBecomeNamesOfTasks) {
  EXPECT_EQ(task_name_of("CUDA/12"), "cuda_12");
  EXPECT_EQ(task_name_of("cublas level1/8"), "cublas_level1_8");
  EXPECT_EQ(task_name_of("7/x"), "t_7_x");
  EXPECT_EQ(task_name_of("//"), "t_");
  EXPECT_EQ(difficulty_of("easy"), 1);
  EXPECT_EQ(difficulty_of("intermediate"), 3);
  EXPECT_EQ(difficulty_of("never heard"), 3);
}

TEST(ProblemFolder, GivesTheRecordBack) {
  const TemporaryFolder folder;
  for (const std::string prompt : {"one line", "a\n", "\n\n", "", " leads\nand: {x}\n\n\n", "cr\r\nlf", "tab\there\x01",
                                   "--- # no\n...\n- a", "\xe2\x82\xac \"q\" 'r' \\n"}) {
    ordered_json record = whole_record();
    record["prompt"] = prompt;
    write_folder(record, folder / "task");
    EXPECT_EQ(read_folder_record(folder / "task/problem-spec.yaml").dump(), record.dump()) << prompt;
  }
}

TEST(ProblemFolder, WrittenByHandNeedsLittle) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "add/test");
  std::filesystem::create_directories(folder / "add/solution");
  std::ofstream(folder / "add/test/main.cpp") << "int main() {}";
  std::ofstream(folder / "add/solution/solution.cpp") << "int a;";
  std::ofstream(folder / "add/task.yaml")
      << "interface: program\ndifficulty: 1\ntags: [openmp]\nprompt: |\n  Adds.\nmin_cuda_toolkit: \"12.0\"\n"
         "group: openmp\ntest_command: ./test.out\ntimeout_seconds: 5\ndate: 2026-01-01\n";
  const Problem problem = read_problem(folder / "add/task.yaml");
  EXPECT_EQ(problem.id, "add");
  EXPECT_EQ(problem.prompt, "Adds.\n");
  EXPECT_EQ(problem.date, "2026-01-01");
  EXPECT_THAT(problem.tags, ElementsAre("openmp"));
  EXPECT_THAT(problem.test, ElementsAre(TextFile{"main.cpp", "int main() {}"}));
  EXPECT_THAT(problem.solution, ElementsAre(TextFile{"solution.cpp", "int a;"}));
  EXPECT_EQ(problem.seconds().count(), 5);
}

TEST(Problem, SolutionsOfOneFileAreCalledAsTheFirstSource) {
  const auto suffix = [](std::initializer_list<const char*> paths) {
    Problem problem;
    for (const char* path : paths) problem.solution.push_back({path, ""});
    return solution_suffix(problem);
  };
  EXPECT_EQ(suffix({"helper.h", "solve.cu", "start.cpp"}), ".cu");
  EXPECT_EQ(suffix({"kernels.cuh"}), ".cuh");
  EXPECT_EQ(suffix({}), "");
}

TEST(Problem, PromptsTellNothingOfTestAndReference) {
  const std::string prompt = prompt_for(read_record(whole_record(), "p"));
  EXPECT_THAT(prompt, HasSubstr("Adds."));
  EXPECT_THAT(prompt, HasSubstr("--- file: include/add.h\nint add(int, int);\n"));
  EXPECT_THAT(prompt, HasSubstr("solution.cpp is needed"));
  for (const char* held_out : {"int main", "return a + b", "cudaMalloc"}) EXPECT_THAT(prompt, Not(HasSubstr(held_out)));
}

TEST(ProblemFolder, FollowsNoLinks) {
  const TemporaryFolder folder;
  write_folder(whole_record(), folder / "task");
  std::filesystem::create_symlink("/etc/passwd", folder / "task/context/stolen.h");
  EXPECT_THROW(read_problem(folder / "task/problem-spec.yaml"), ProblemError);
}

}  // namespace
}  // namespace assay::problem

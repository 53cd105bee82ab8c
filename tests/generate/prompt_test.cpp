// SPDX-License-Identifier: Apache-2.0
// What a model is told of a task's dimensions, and of what follows from them.
#include "assay/generate/prompt.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <tuple>

#include "assay/spec/launch.h"
#include "assay/spec/suite.h"
#include "temporary_folder.h"

namespace assay::generate {
namespace {

std::string prompt(const std::string& model, const std::string& dims) {
  const std::string text = fmt::format(
      "summary: A test.\ndifficulty: 1\nmodel: |\n  f {}\ndims: {{{}}}\ntiming: {{cpu: {{dims: {{N: 8, G: 8, L: 256}}}}}}\n", model, dims);
  return prompt_for(spec::parse_task(text, {"/tasks/math/f/task.yaml"}), {"cpp", ".cpp", {"c++"}, false, {}});
}

TEST(Prompt, SaysWhatExpressionsOfDimensionsMean) {
  const std::string text = prompt(
      "(float[N, 2*G, L] x, float[G, 2, 1] w) => (float[N, G, div_up(L, 2)] y)\n"
      "  { y = Conv <group = G, strides = [2]> (x, w) }",
      "N: 4, G: [1, 4], L: [2, 64, 2]");
  for (const char* said :
       {"/// in  x: float [N, 2*G, L], row-major\n", "/// out y: float [N, G, div_up(L,2)], row-major\n",
        "y = Conv <group = G, strides = [2]> (x, w)", "- N = 4\n", "- G may be anything from 1 upwards\n",
        "- L may be anything from 2 upwards, in steps of 2\n", "- An attribute of the model that names dimensions has their value.\n",
        "- div_up(a, b) is a / b, rounded up.\n"})
    EXPECT_THAT(text, testing::HasSubstr(said));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("round_up")));
}

TEST(Prompt, ExplainsOperatorsThatOnnxLacksOnce) {
  const std::string text = prompt(
      "(int64[1] key, int64[N, G, L] x) => (uint32[N, G, L, 4] y)\n"
      "  { a = kernelassay.Philox(key, x) b = kernelassay.Philox(key, x) y = BitwiseXor(a, b) }",
      "N: 4, G: [1, 4], L: [2, 64, 2]");
  const std::size_t at = text.find("Operators that ONNX does not have:\n- `words = kernelassay.Philox(key, counters)` is");
  ASSERT_NE(at, text.npos);
  for (const char* said : {"0xD2511F53", "0xCD9E8D57", "0x9E3779B9", "0xBB67AE85", "ten rounds"}) EXPECT_NE(text.find(said, at), text.npos);
  EXPECT_EQ(text.find("is the counter-based"), text.rfind("is the counter-based"));
}

TEST(Prompt, SaysWhereTheModelRounds) {
  const std::string rounds =
      "- The result of each operator of the model is rounded to bfloat16, to nearest even, before the next one reads it.";
  const std::string model = "(bfloat16[N, G, L] x) => (bfloat16[N, G, L] y)\n  { y = Exp(x) }", dims = "N: 4, G: [1, 4], L: [2, 64, 2]";
  EXPECT_THAT(prompt(model + "\ncompute: bfloat16", dims), testing::HasSubstr(rounds));
  EXPECT_THAT(prompt(model, dims), testing::Not(testing::HasSubstr("is rounded to")));
}

TEST(Prompt, SaysNothingOfExpressionsWhereThereAreNone) {
  const std::string text = prompt("(float[N, G, L] x) => (float[N, G, L] y)\n  { y = Neg(x) }", "N: 4, G: [1, 4], L: [2, 64, 2]");
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("names dimensions")));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("div_up")));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("ONNX does not have")));
}

/// The example of a launch block is one that is read.
TEST(Prompt, ShowsTheLaunchBlockInTheWordsOfTheLanguage) {
  const spec::Task task = spec::parse_task(
      "summary: A test.\ndifficulty: 1\nmodel: |\n  f (float16[N] x) => (float16[N] y)\n  { y = Neg(x) }\ndims: {N: [1, 8]}\n"
      "timing: {cpu: {dims: {N: 8}}}\n",
      {"/tasks/math/f/task.yaml"});
  for (const auto& [memory, own, others] : {std::tuple("cuda", "grid [", "__local"), {"opencl", "global [", "extern"}}) {
    const spec::KernelTypes types{{{"float16", "__half"}}, {"cuda_fp16.h"}, ""};
    const std::string text = prompt_for(task, {memory, ".x", {}, true, types, memory});
    EXPECT_THAT(text, testing::HasSubstr(own));
    EXPECT_THAT(text, testing::Not(testing::HasSubstr(others)));
    EXPECT_THAT(text, testing::HasSubstr("typedef __half float16;\n"));
    EXPECT_THAT(text, testing::HasSubstr("// void f(const float16* x, float16* y, int64_t N);\n"));
    const std::size_t block = text.find("/* launch"), end = text.find("*/", block) + 2;
    const std::string code = text.substr(block, end - block) + "\n// first second\nvoid first() {} void second() {}";
    EXPECT_EQ(spec::parse_launch_block(code, task).kernels.size(), 2) << code;
  }
}

/// Every task of the repository.
std::vector<std::pair<spec::TaskFile, spec::Task>> all_tasks() {
  std::vector<std::pair<spec::TaskFile, spec::Task>> tasks;
  for (const spec::ListedTask& listed : spec::list_tasks(TASKS_FOLDER))
    tasks.emplace_back(listed.from, spec::load_checked_task(listed.from));
  return tasks;
}

std::vector<BackendDescription> all_backends() {
  return {{"cpp", ".cpp", {"c++"}, false, {}}, {"opencl", ".cl", {}, true, {}, "opencl"}, {"cuda", ".cu", {}, true, {}, "cuda"}};
}

/// What the judge alone knows may be anything: the prompt is the same.
TEST(Prompt, OfEveryTaskTellsNothingOfWhatIsHeldOut) {
  const auto tasks = all_tasks();
  ASSERT_GT(tasks.size(), 500);
  for (const auto& [from, task] : tasks) {
    spec::Task other = task;
    other.cases = {{"held_out", {{"N", {31337, 31337, 1}}}, {}}};
    other.timing = {{"cpu", {{{"N", {31337, 31337, 1}}}}}};
    other.bound_factors = {{"y", 31337}};
    other.waivers = {{"held out", "held out", {}}};
    other.degenerate = "held out";
    other.suites = {{"held_out", {"held out"}}};
    other.difficulty = 31337;
    other.harness.library = "/held/out.so";
    other.harness.folder = "/held/out";
    for (auto& [dim, range] : other.dim_ranges)
      if (!range.constant()) range.high = range.low + 31337 * range.step;
    for (const BackendDescription& backend : all_backends())
      EXPECT_EQ(prompt_for(other, backend), prompt_for(task, backend)) << from.text() << " " << backend.name;
  }
}

/// Lines of a source that tell something: no includes, no braces alone.
std::vector<std::string> telling_lines(const std::filesystem::path& file) {
  std::vector<std::string> lines;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == line.npos || line.compare(begin, 1, "#") == 0) continue;
    line = line.substr(begin);
    if (line.size() >= 16 && line.find_first_of(";{=") != line.npos) lines.push_back(line);
  }
  return lines;
}

TEST(Prompt, OfEveryTaskHasNoLineOfItsReferenceOrOracle) {
  int references = 0, oracles = 0;
  for (const auto& [from, task] : all_tasks()) {
    std::string prompts;
    for (const BackendDescription& backend : all_backends()) prompts += prompt_for(task, backend);
    std::vector<std::filesystem::path> held_out;
    for (const char* suffix : {".cpp", ".cl", ".cu"})
      held_out.push_back(std::filesystem::path(REFERENCES_FOLDER) / task.category / (task.name + suffix));
    for (const char* source : {"oracle.cpp", "verify.cpp"}) held_out.push_back(spec::harness_folder(from) / source);
    for (const auto& file : held_out) {
      if (!std::filesystem::is_regular_file(file)) continue;
      (file.filename() == "oracle.cpp" || file.filename() == "verify.cpp" ? oracles : references) += 1;
      for (const std::string& line : telling_lines(file)) EXPECT_EQ(prompts.find(line), prompts.npos) << file << ": " << line;
    }
  }
  EXPECT_GT(references, 500);
  EXPECT_GT(oracles, 0);
}

class PromptParts : public testing::Test {
 protected:
  std::string text(const PromptChoice& choice, const MachineDescription& machine = {}) const {
    return prompt_for(task_, backend_, choice, machine);
  }

  const spec::Task task_ = spec::parse_task(
      "summary: A test.\ndifficulty: 1\nsuites: [npueval]\nmodel: |\n  f (float[N] x) => (float[N] y)\n  { y = Neg(x) }\ntorch: "
      "torch.neg(x)\n"
      "dims: {N: [1, 8]}\ntiming: {cpu: {dims: {N: 8}}}\n",
      {"/tasks/math/f/task.yaml"});
  const BackendDescription backend_{"cpp", ".cpp", {"c++"}, false, {}};
  const TemporaryFolder folder_;

  std::string file(const std::string& name, const std::string& content) const {
    std::ofstream(folder_ / name) << content;
    return (folder_ / name).string();
  }
};

TEST_F(PromptParts, AreSwitched) {
  const std::string whole = text({});
  for (const auto& [part, sign] : {std::pair("summary", "A test."),
                                   {"model", "y = Neg(x)"},
                                   {"torch", "torch.neg(x)"},
                                   {"header", "Implement exactly this function"},
                                   {"contract", "Dimensions:"},
                                   {"machine", "It is compiled with"}}) {
    EXPECT_THAT(whole, testing::HasSubstr(sign));
    std::vector<std::string> others = prompt_parts();
    std::erase(others, part);
    EXPECT_THAT(text({others, "", ""}), testing::Not(testing::HasSubstr(sign))) << part;
    EXPECT_THAT(text({{part}, "", ""}), testing::HasSubstr(sign));
  }
  EXPECT_EQ(text({{"summary"}, "", ""}),
            "Write a fast compute kernel.\n\nA test.\n\nAnswer with one code block that contains the whole .cpp file.\n");
  EXPECT_THROW(text({{"sumary"}, "", ""}), std::runtime_error);
}

TEST_F(PromptParts, ComeInATemplateOfOnesOwn) {
  EXPECT_EQ(text({{}, file("t.md", "{{summary}} as {{task}}{{suffix}}.\n{{torch}}\n\n{{examples}}\n\nEnd.\n"), ""}),
            "A test. as f.cpp.\nThe same in PyTorch:\n\n```python\ntorch.neg(x)\n```\n\nEnd.\n");
  EXPECT_THROW(text({{}, file("bad.md", "{{sumary}}"), ""}), std::runtime_error);
  EXPECT_THROW(text({{}, (folder_ / "missing.md").string(), ""}), std::runtime_error);
  const std::string folder = folder_.path().string();
  EXPECT_THROW(text({{}, folder, ""}), std::runtime_error);
  for (const char* name : {"default", "cpp", "npueval", "npueval.cpp"}) {
    file(std::string(name) + ".md", name);
    EXPECT_EQ(text({{}, folder, ""}), name);
  }
}

TEST_F(PromptParts, HaveExamplesOfOtherTasks) {
  EXPECT_THAT(text({{}, "", "fixed"}), testing::HasSubstr("An example of an answer to another task:\n\n```cpp\n"));
  EXPECT_EQ(text({{}, "", "none"}), text({}));
  EXPECT_THAT(text({{}, "", file("one.md", "void g(float* y) {}")}),
              testing::HasSubstr("to another task:\n\nvoid g(float* y) {}\n\nAnswer"));
  file("default.md", "any category");
  EXPECT_THAT(text({{}, "", folder_.path().string()}), testing::HasSubstr("any category"));
  file("math.md", "its own category");
  EXPECT_THAT(text({{}, "", folder_.path().string()}), testing::HasSubstr("its own category"));
  file("math.md", "void f(const float* x, float* y, int64_t N) {}");  // the answer
  EXPECT_EQ(text({{}, "", folder_.path().string()}), text({}));
  EXPECT_THROW(text({{}, "", "no/such/file.md"}), std::runtime_error);
  EXPECT_THROW(prompt_for(task_, {"opencl", ".cl", {}, true, {}, "opencl"}, {{}, "", "fixed"}), std::runtime_error);
}

TEST_F(PromptParts, HaveExamplesThatAreRetrieved) {
  file("negation.cpp", "// y = Neg(x), negated twice\nvoid negation(const float* x, float* y) {}\n\n");
  file("sum.md", "Written for a sum:\n\n```cpp\nvoid sum() {}\n```\n");
  file("f_bfloat16.cpp", "void f_bfloat16(const float* x, float* y) { /* y = Neg(x) */ }");
  PromptChoice choice{{}, "", "retrieval:" + folder_.path().string(), 1};
  const std::string one =
      "An example of an answer to another task:\n\n```cpp\n// y = Neg(x), negated twice\nvoid negation(const float* x, float* y) "
      "{}\n```\n\nAnswer";
  EXPECT_THAT(text(choice), testing::HasSubstr(one));
  choice.shot_count = 9;
  const std::string all = text(choice);
  EXPECT_THAT(all, testing::HasSubstr("Examples of answers to other tasks:\n\n```cpp\n// y = Neg(x)"));
  EXPECT_THAT(all, testing::HasSubstr("\n\nWritten for a sum:\n\n```cpp\nvoid sum() {}\n```\n\nAnswer"));
  EXPECT_THAT(all, testing::Not(testing::HasSubstr("bfloat16")));

  const auto examples = open_examples(choice, backend_);
  EXPECT_EQ(prompt_for(task_, backend_, choice, {}, {examples.get(), {}}), all);
  EXPECT_THAT(prompt_for(task_, backend_, choice, {}, {examples.get(), {"negation", "f"}}),
              testing::Not(testing::HasSubstr("Neg(x), negated")));

  choice.shots = "retrieval:no/such/folder";
  EXPECT_THROW(text(choice), std::runtime_error);
}

/// Another machine, other parts and other cases get the same examples: an ablation changes one thing.
TEST_F(PromptParts, AreRetrievedByTheTaskAlone) {
  file("negation.cpp", "// y = Neg(x), avx512 Xeon N 31337\nvoid negation(const float* x, float* y) {}");
  file("machine.cpp", "// The machine has 4 processors (Xeon) with avx512\nvoid machine() {}");
  const PromptChoice choice{{"examples"}, "", "retrieval:" + folder_.path().string(), 1};
  spec::Task other = task_;
  other.cases = {{"held_out", {{"N", {31337, 31337, 1}}}, {}}};
  EXPECT_THAT(text(choice), testing::HasSubstr("void negation"));
  EXPECT_EQ(text(choice, {4, "Xeon", {"avx512"}, 10}), text(choice));
  EXPECT_EQ(prompt_for(other, backend_, choice), text(choice));
}

/// What stands in an example ends neither its block nor the prompt's form.
TEST_F(PromptParts, AreNotLeftByAnExample) {
  file("g.cpp", "// ````\n// {{machine}} {{nothing}}\nvoid g(const float* x, float* y) {}");
  EXPECT_THAT(text({{}, "", "retrieval:" + folder_.path().string()}),
              testing::HasSubstr("`````cpp\n// ````\n// {{machine}} {{nothing}}\nvoid g"));
}

TEST_F(PromptParts, SayWhatTheMachineOffers) {
  EXPECT_THAT(text({}, {4, "Some CPU", {"avx2", "fma"}, 10}),
              testing::HasSubstr("A call that takes longer than 10 s is ended. The machine has 4 processors (Some CPU) with avx2, fma.\n"));
  EXPECT_GT(this_machine().processors, 0);
}

}  // namespace
}  // namespace assay::generate

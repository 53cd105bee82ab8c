// SPDX-License-Identifier: Apache-2.0
// What a model is told of a task's dimensions, and of what follows from them.
#include "assay/generate/prompt.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tuple>

#include "assay/spec/launch.h"

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

}  // namespace
}  // namespace assay::generate

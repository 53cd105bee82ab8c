// SPDX-License-Identifier: Apache-2.0
// `compute:` of task.yaml: what it makes of a model, and where it is a mistake.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "assay/spec/task.h"
#include "temporary_folder.h"

namespace assay::spec {
namespace {

std::string text(const std::string& compute, const std::string& type, const std::string& body = "y = Exp(x)",
                 const std::string& more = "") {
  return fmt::format(
      "summary: A task.\ndifficulty: 1\ncompute: {}\nmodel: |\n  f ({}[N] x) => ({}[N] y)\n  {{ {} }}\ndims: {{N: [1, 9]}}\n{}"
      "timing: {{cpu: {{dims: {{N: 64}}}}}}\n",
      compute, type, type, body, more);
}

Task parse(const std::string& yaml) { return parse_task(yaml, {"/tasks/math/f/task.yaml"}); }

std::string error_of(const std::string& yaml) {
  try {
    parse(yaml);
  } catch (const SpecError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Compute, IsWhatTheModelRoundsTo) {
  EXPECT_EQ(parse(text("bfloat16", "bfloat16")).model.compute, ElementType::bf16);
  EXPECT_EQ(parse(text("float16", "float16")).model.compute, ElementType::f16);
  const std::string by_casts = "a = Cast <to = 16> (x)\n    b = Exp(a)\n    y = Cast <to = 1> (b)";
  EXPECT_EQ(parse(text("bfloat16", "float", by_casts)).model.compute, ElementType::bf16);
}

TEST(Compute, HoldsInBodies) {
  const Task task = parse(
      "summary: A task.\ndifficulty: 1\ncompute: bfloat16\nmodel: |\n  f (bfloat16[N] x) => (bfloat16[N] y)\n  {\n"
      "    zero = Constant <value_ints = [0]> ()\n    first = Slice(x, zero, zero)\n    start = ReduceSum <keepdims = 0> (first)\n"
      "    last, y = Scan <num_scan_inputs = 1, body = step (bfloat16 s, bfloat16 e) => (bfloat16 t, bfloat16 u)\n"
      "      { t = Add(s, e) u = Identity(t) }> (start, x)\n  }\ndims: {N: [1, 9]}\ntiming: {cpu: {dims: {N: 64}}}\n");
  const Node& scan = task.model.nodes.back();
  EXPECT_EQ(std::get<std::shared_ptr<const Graph>>(scan.attributes.at("body"))->compute, ElementType::bf16);
}

TEST(Compute, IsSaidInKernelH) {
  const char* const said =
      "/// The result of each operator is rounded to bfloat16, nearest even; a kernel may keep float32 where it likes.\n";
  EXPECT_THAT(kernel_header(parse(text("bfloat16", "bfloat16"))), testing::HasSubstr(said));
  EXPECT_THAT(kernel_header(parse(text("float16", "float16"))), testing::Not(testing::HasSubstr("bfloat16")));
}

TEST(Compute, MayBeATypeOfAFamily) {
  const std::string family =
      "summary: A task.\ndifficulty: 1\ncompute: \"{type}\"\nmodel: |\n  {task} ({type}[N] x) => ({type}[N] y)\n  { y = Exp(x) }\n"
      "dims: {N: [1, 9]}\ntiming: {cpu: {dims: {N: 64}}}\ntypes: [float16, bfloat16]\ntasks:\n  power: {}\n";
  EXPECT_EQ(parse_task(family, "/tasks/math/unary.yaml#power_float16").model.compute, ElementType::f16);
  EXPECT_EQ(parse_task(family, "/tasks/math/unary.yaml#power_bfloat16").model.compute, ElementType::bf16);
}

TEST(Compute, MistakesAreReportedWhereTheyAre) {
  const std::string at = "/tasks/math/f/task.yaml:3:10: compute: ";
  EXPECT_EQ(error_of(text("bfloat", "bfloat16")),
            at + "unknown type 'bfloat'. did you mean: bfloat16?. do: say bfloat16 or float16, or leave it out");
  EXPECT_EQ(error_of(text("float8e5m2", "bfloat16")), at + "unknown type 'float8e5m2'. do: say bfloat16 or float16, or leave it out");
  for (const std::string type : {"int8", "float"})
    EXPECT_EQ(error_of(text("bfloat16", type, "y = Abs(x)")),
              at + "the model has no bfloat16, so nothing is rounded. do: declare its tensors bfloat16, or leave it out");
  EXPECT_EQ(error_of(text("bfloat16", "bfloat16", "h = Cast <to = 10> (x)\n    y = Cast <to = 16> (h)")),
            at + "the model has float16, too. do: keep one of the two");
  EXPECT_EQ(error_of(text("bfloat16", "bfloat16", "y = Exp(x)", "bounds: {y: {factor: 8, why: a reason}}\n")),
            "/tasks/math/f/task.yaml:8:9: bounds: roundings to 'compute' decide, which no factor changes. do: leave it out");
}

TEST(Compute, HasNoUseBesideTasksOwnCode) {
  const TemporaryFolder root;
  const std::filesystem::path folder = root / "math/f";
  std::filesystem::create_directories(folder / "harness");
  std::ofstream(folder / "harness/verify.cpp") << "\n";
  std::ofstream(folder / "task.yaml") << text("bfloat16", "bfloat16");
  const auto error = [&] {
    try {
      load_task(folder / "task.yaml");
    } catch (const SpecError& said) {
      return std::string(said.what());
    }
    return std::string("no error");
  };
  EXPECT_THAT(error(), testing::HasSubstr("task.yaml:3:10: compute: verify.cpp says what is right. do: leave it out"));
}

}  // namespace
}  // namespace assay::spec

// SPDX-License-Identifier: Apache-2.0
// Structured draws in task.yaml: what is wrong is said with its place, and the prompt says what kernels may rely on.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "assay/generate/prompt.h"
#include "assay/spec/draw.h"
#include "read_file.h"

namespace assay::spec {
namespace {

using testing::HasSubstr;

/// A task of which all inputs but the first have a structure; `inputs` are lines of YAML. The model's meaning does not matter.
std::string task_text(const std::string& tensors, const std::string& dims, const std::string& inputs, const std::string& cases = "") {
  return fmt::format(R"(summary: Draws.
difficulty: 1
model: |
  draws (float[F] f, {}) => (float[F] y)
  {{ y = Neg(f) }}
dims: {{F: [1, 8], {}}}
replace_cases: few
cases:
  - {{name: only}}
{}inputs:
{}timing:
  cpu: {{dims: {{F: 8, {}}}}}
)",
                     tensors, dims, cases, inputs, dims);
}

struct Text {
  std::string name, tensors, dims, inputs, expected, cases = {};
};
void PrintTo(const Text& text, std::ostream* out) { *out << text.name; }

class WrongDraw : public testing::TestWithParam<Text> {};

TEST_P(WrongDraw, IsReportedAtItsPlace) {
  const Text& text = GetParam();
  try {
    parse_task(task_text(text.tensors, text.dims, text.inputs, text.cases), "index/draws/task.yaml");
    FAIL() << "no error";
  } catch (const SpecError& error) {
    EXPECT_STREQ(error.what(), ("index/draws/task.yaml:" + text.expected).c_str());
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, WrongDraw,
    testing::Values(
        Text{"Type", "float[N] x", "N: 4", "  x: permutation\n",
             "11:6: inputs: x: init 'permutation' does not suit float. do: give the tensor another type, or another init"},
        Text{"Missing", "int64[N] x", "N: 4", "  x: index\n", "11:6: inputs: x: init 'index' needs 'of'. do: add it"},
        Text{"Unknown", "int64[N] x", "N: 4", "  x: {init: permutation, of: N}\n",
             "11:26: inputs: x: init 'permutation' has no parameter 'of'"},
        Text{"Extent", "int64[N] x", "N: 4", "  x: {init: index, of: N * Q}\n",
             "11:24: inputs: x: of: must be a dimension of an input, a number or a product of them (M * 16), got 'N * Q'. known: F N"},
        Text{"Word", "int64[N] x", "N: 4", "  x: {init: index, of: 9, distinct: columns}\n",
             "11:37: inputs: x: distinct: must be one of true false rows, got 'columns'"},
        Text{"Input", "int64[N] x", "N: 4", "  x: {init: csr_columns, of: 9, rows: z}\n",
             "11:39: inputs: x: rows: must be another input, got 'z'"},
        Text{"Itself", "int64[N] x", "N: 4", "  x: {init: csr_columns, of: 9, rows: x}\n",
             "11:39: inputs: x: rows: must be another input, got 'x'"},
        Text{"Related", "int64[N] x, int64[P] r", "N: 4, P: 3", "  x: {init: csr_columns, of: 9, rows: r}\n",
             "11:6: inputs: x: rows: 'r' is drawn as 'integer'. do: draw it as offsets"},
        Text{"Distinct", "int64[N, K] x", "N: [2, 9], K: 4", "  x: {init: index, of: 30, distinct: true}\n",
             "11:6: inputs: x: init 'index' cannot be met in case 'only' with F = 1, K = 4, N = 9: 36 distinct indices do not fit in [0, "
             "30). "
             "do: change the draw, or those dims"},
        Text{"SortedSentinel", "int64[N] x", "N: 4", "  x: {init: index, of: 9, sorted: true, sentinel: -1}\n",
             "11:6: inputs: x: init 'index' cannot be met in case 'only' with F = 1, N = 4: sorted indices have no sentinel. do: change "
             "the draw, or those dims"},
        Text{"DistinctByRow", "int64[N, K] x, float[V] v", "N: [2, 9], K: [1, 7], V: [5, 30]",
             "  x: {init: index, of: V, distinct: rows}\n",
             "11:6: inputs: x: init 'index' cannot be met in case 'only' with F = 1, K = 7, N = 2, V = 5: 7 distinct indices do not fit in "
             "[0, 5). do: change the draw, or those dims"},
        Text{
            "SentinelIsAnIndex", "int64[N] x", "N: 4", "  x: {init: index, of: 9, sentinel: 3}\n",
            "11:6: inputs: x: init 'index' cannot be met in case 'only' with F = 1, N = 4: the sentinel 3 is an index, too. do: change the "
            "draw, or those dims"},
        Text{"Share", "bool[N] x", "N: 4", "  x: {init: mask, share: 50}\n",
             "11:6: inputs: x: init 'mask' cannot be met in case 'only' with F = 1, N = 4: share must be 0 to 1, got 50. do: change the "
             "draw, "
             "or those dims"},
        Text{"NonZeros", "int64[E] x, int64[P] r", "E: 13, P: 4",
             "  x: {init: csr_columns, of: 4, rows: r}\n  r: {init: offsets, of: E, most: 4}\n",
             "12:6: inputs: r: init 'offsets' cannot be met in case 'only' with E = 13, F = 1, P = 4: 3 lengths from 0 to 4 do not add up "
             "to 13. "
             "do: change the draw, or those dims"},
        Text{"RowsMayBeTooLong", "int64[E] x, int64[P] r", "E: 9, P: 4",
             "  x: {init: csr_columns, of: 4, rows: r}\n  r: {init: offsets, of: E}\n",
             "11:6: inputs: x: init 'csr_columns' cannot be met in case 'only' with E = 9, F = 1, P = 4: a row may have 9 elements of 4 "
             "columns. 'r' can say 'most'. do: change the draw, or those dims"},
        Text{
            "Pages", "int64[B, M] x, int64[B] l", "B: 5, M: 3",
            "  x: {init: page_table, of: 14, page: 8, lengths: l}\n  l: {init: lengths, of: M * 8}\n",
            "11:6: inputs: x: init 'page_table' cannot be met in case 'only' with B = 5, F = 1, M = 3: 5 rows may need 15 pages, and there "
            "are 14. do: change the draw, or those dims"},
        Text{"Square", "float[N, K] x", "N: 4, K: 5", "  x: orthogonal\n",
             "11:6: inputs: x: init 'orthogonal' cannot be met in case 'only' with F = 1, K = 5, N = 4: must be square in its last two "
             "axes. "
             "do: change the draw, or those dims"},
        Text{"Condition", "float16[N, N] x", "N: 64", "  x: {init: positive_definite, condition: 1000}\n",
             "11:6: inputs: x: init 'positive_definite' cannot be met in case 'only' with F = 1, N = 64: condition must be 1 to 64 for "
             "float16 "
             "of 64 columns, got 1000. do: change the draw, or those dims"},
        Text{
            "Promise", "int64[N] x", "N: 4", "  x: {init: index, of: 9}\n",
            "10:31: case 'other': inputs: x: breaks what the prompt promises: `x`: every element is at least 0 and below 9. do: draw it as "
            "inputs: x says, or promise less there",
            "  - {name: other, inputs: {x: {init: index, of: 9, sentinel: -1}}}\n"}),
    [](const auto& test) { return test.param.name; });

class Promise : public testing::TestWithParam<Text> {};

TEST_P(Promise, IsInThePrompt) {
  const Text& text = GetParam();
  const Task task = parse_task(task_text(text.tensors, text.dims, text.inputs), "index/draws/task.yaml");
  EXPECT_THAT(generate::prompt_for(task, {}), HasSubstr("\n\nInputs:\n- `x`: " + text.expected + "\n"));
}

INSTANTIATE_TEST_SUITE_P(
    All, Promise,
    testing::Values(
        Text{"Index", "int64[N, K] x", "N: 4, K: 3", "  x: {init: index, of: 9}\n", "every element is at least 0 and below 9."},
        Text{"Sentinel", "int64[N, K] x", "N: 4, K: 3", "  x: {init: index, of: 9, sentinel: -100, distinct: rows}\n",
             "every element is at least 0 and below 9, or it is -100; of the others no two of a row are equal."},
        Text{"Sorted", "int64[N, K] x", "N: 4, K: 3", "  x: {init: index, of: 9, sorted: true}\n",
             "every element is at least 0 and below 9; in each row none is less than the one before it."},
        Text{"Permutation", "int64[N] x", "N: 4", "  x: permutation\n", "holds 0, 1, 2, ..., each of them once, in any order."},
        Text{"Lengths", "int64[N] x", "N: 4", "  x: {init: lengths, of: 9, low: 1, total: 20}\n",
             "every element is at least 1 and at most 9; they add up to 20."},
        Text{"Offsets", "int64[N] x", "N: 4", "  x: {init: offsets, of: 9, most: 5}\n",
             "begins with 0 and never decreases; its last element is 9; it grows by at most 5 from element to element."},
        Text{"Starts", "int64[N] x", "N: 4", "  x: {init: offsets, of: 9, end: false, low: 1}\n",
             "begins with 0 and never decreases; none is above 9, where the last sequence ends; it grows by at least 1 from element to "
             "element."},
        Text{"OffsetsOfLengths", "int64[N] x, int64[N] l", "N: 4",
             "  x: {init: offsets, lengths: l, of: 36, end: false}\n  l: {init: lengths, of: 9}\n",
             "x[i] = l[0] + ... + l[i - 1]; x[0] = 0; all l add up to 36 at most.\n- `l`: every element is at least 0 and at most 9."},
        Text{"Columns", "int64[E] x, int64[P] r", "E: 9, P: 4", "  x: {init: csr_columns, of: 10, rows: r}\n  r: {init: offsets, of: E}\n",
             "every element is at least 0 and below 10; x[r[r]] to x[r[r + 1] - 1] are those of row r, in increasing order.\n- `r`: begins "
             "with 0 and never decreases; its last element is E."},
        Text{"Pages", "int64[B, M] x, int64[B] l", "B: 5, M: 3",
             "  x: {init: page_table, of: 15, page: 8, lengths: l}\n  l: {init: lengths, of: M * 8}\n",
             "row b begins with as many pages as l[b] elements take, 8 to a page: numbers that are at least 0 and below 15, of which no "
             "two in "
             "all of `x` are equal. The rest of the row is -1.\n- `l`: every element is at least 0 and at most M * 8."},
        Text{"Mask", "bool[N, N] x", "N: 4", "  x: {init: mask, causal: true, at_least: 1}\n",
             "above the diagonal of the last two axes all are false; at least 1 of each row is true."},
        Text{"FloatMask", "float[N, N] x", "N: 4", "  x: mask\n", "every element is 0 or 1."},
        Text{"Orthogonal", "float[B, N, N] x", "B: 2, N: 4", "  x: orthogonal\n",
             "its matrices (the last two axes) are orthogonal, but for rounding."},
        Text{"Symmetric", "float[N, N] x", "N: 4", "  x: symmetric\n", "is symmetric: all are -1 to 1."},
        Text{"PositiveDefinite", "float[N, N] x", "N: 4", "  x: {init: positive_definite, condition: 7}\n",
             "is symmetric and positive definite, with a condition number of 7 at most."},
        Text{"Triangular", "float[N, N] x", "N: 4", "  x: triangular\n",
             "is lower triangular: all above the diagonal is 0; on it all are 1 to 2 in magnitude."},
        Text{"Probability", "float[N, C] x", "N: 4, C: 3", "  x: {init: probability, zeros: 0.5}\n",
             "no element is below 0, and each row sums to 1, but for rounding."},
        Text{"Scales", "float[N] x", "N: 4", "  x: {init: scales, low: -10}\n", "every element is positive: at least 2^-10, at most 2^0."}),
    [](const auto& test) { return test.param.name; });

TEST(Promise, OfNothingLeavesNoSection) {
  const Task task = parse_task(task_text("int8[N] x", "N: 4", "  x: zero_points\n"), "index/draws/task.yaml");
  EXPECT_THAT(generate::prompt_for(task, {}), testing::Not(HasSubstr("Inputs:")));
}

TEST(Draws, AreInTheSchema) {
  const auto definitions = nlohmann::json::parse(read_file(TASK_SCHEMA)).at("$defs");
  const auto kinds = definitions.at("init").at("enum").get<std::vector<std::string>>();
  const auto parameters = definitions.at("inputs").at("additionalProperties").at("anyOf").at(1).at("properties");
  for (const auto& [name, draw] : all_draws()) {
    EXPECT_THAT(kinds, testing::Contains(name));
    for (const DrawParameter& parameter : draw.parameters)
      EXPECT_TRUE(parameters.contains(parameter.name)) << name << ": " << parameter.name;
  }
}

TEST(Draws, AreInTheDocumentation) {
  const std::string docs = read_file(std::string(DOCS_FOLDER) + "/tasks.md");
  for (const auto& [name, draw] : all_draws()) {
    const std::string begin = fmt::format("\n| `{}` |", name);
    ASSERT_THAT(docs, HasSubstr(begin));
    const std::size_t at = docs.find(begin);
    const std::string line = docs.substr(at + 1, docs.find('\n', at + 1) - at - 1);
    for (const DrawParameter& parameter : draw.parameters) EXPECT_THAT(line, HasSubstr("`" + parameter.name + "`"));
  }
}

}  // namespace
}  // namespace assay::spec

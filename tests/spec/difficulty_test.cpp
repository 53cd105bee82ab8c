// SPDX-License-Identifier: Apache-2.0
// Difficulty by docs/tasks.md: what is counted of a model, the level that follows, and that every task of the corpus has it.
#include "assay/spec/difficulty.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "assay/spec/suite.h"
#include "assay/spec/task.h"
#include "model_text.h"

namespace assay::spec {

void PrintTo(const Work& work, std::ostream* out) {
  *out << "points " << work.points << ", passes " << work.passes << ", products " << work.products << ", loops " << work.loops;
}

namespace {

Work work_of(const std::string& text) { return count_work(parse_model(text, 17, {"task.yaml", 1, 1})); }
/// Of a body that makes y of float[N, C] x, float[N, C] z, float[C] v and int64[N] places.
Work body(const std::string& nodes, const std::string& shape = "A, B") {
  return work_of("f (float[N, C] x, float[N, C] z, float[C] v, int64[N] places) => (float[" + shape + "] y) { " + nodes + " }");
}

TEST(Difficulty, CountsPointsButNoCopies) {
  EXPECT_EQ(body("a = Mul(x, z) b = Transpose(a) y = Relu(b)"), (Work{.points = 2}));
  EXPECT_EQ(body("y = Slice(x, places, places)"), Work{});
}

TEST(Difficulty, LeavesOutWhatShapesAndConstantsGive) {
  EXPECT_EQ(body("s = Shape(x) n = Gather(s, s) m = Mul(n, n) y = Reshape(x, m)"), Work{});
  EXPECT_EQ(body("two = Constant <value_float = 2.0> () root = Sqrt(two) y = Mul(x, root)"), (Work{.points = 1}));
}

TEST(Difficulty, CountsPassesAlongTheLongestChain) {
  EXPECT_EQ(body("a = ReduceMax <axes = [1]> (x) b = ReduceMin <axes = [1]> (x) y = Sub(a, b)"), (Work{.points = 1, .passes = 1}));
  EXPECT_EQ(body("a = ReduceMax <axes = [1]> (x) b = Sub(x, a) y = ReduceSum <keepdims = 1> (b)"), (Work{.points = 1, .passes = 2}));
  EXPECT_EQ(body("y = Softmax <axis = 1> (x)"), (Work{.passes = 2}));
  EXPECT_EQ(body("y = Gather(x, places)"), (Work{.passes = 1}));
}

TEST(Difficulty, TellsProductsFromSumsOfTerms) {
  EXPECT_EQ(body("t = Transpose(z) y = MatMul(x, t)"), (Work{.products = 1}));
  EXPECT_EQ(body("y = MatMul(x, v)", "N"), (Work{.passes = 1}));
  EXPECT_EQ(body("y = Einsum <equation = \"nc,mc->nm\"> (x, z)"), (Work{.products = 1}));
  EXPECT_EQ(body("y = Einsum <equation = \"nc,nc->n\"> (x, z)", "N"), (Work{.points = 1, .passes = 1}));
  EXPECT_EQ(body("y = Einsum <equation = \"nc,nc->nc\"> (x, z)"), (Work{.points = 1}));
  EXPECT_EQ(body("y = Einsum <equation = \"nc->cn\"> (x)"), Work{});
  EXPECT_EQ(work_of("f (float[N, C, L] x, float[O, C, 3] w) => (float[N, O, M] y) { y = Conv(x, w) }"), (Work{.products = 1}));
  EXPECT_EQ(work_of("f (float[N, C, L] x, float[C, 1, 3] w) => (float[N, C, M] y) { y = Conv <group = C> (x, w) }"), (Work{.passes = 1}));
}

TEST(Difficulty, TellsScansFromLoopsWhoseStepsWait) {
  const auto scan = [](const std::string& step) {
    return work_of(
        "f (float[C] start, float[N, C] x) => (float[C] last, float[N, C] y) { last, y = Scan <num_scan_inputs = 1, body = step "
        "(float[C] s, float[C] e) => (float[C] next, float[C] out) { " +
        step + " out = Identity(next) }> (start, x) }");
  };
  EXPECT_EQ(scan("next = Max(s, e)"), (Work{.points = 1, .passes = 2}));
  EXPECT_EQ(scan("total = ReduceSum <keepdims = 0> (s) next = Mul(e, total)"), (Work{.points = 1, .passes = 1, .loops = 1}));
}

TEST(Difficulty, IsTheHighestLevelThatDescribesTheWork) {
  EXPECT_EQ(difficulty_of({}), 1);
  EXPECT_EQ(difficulty_of({.points = 4}), 1);
  EXPECT_EQ(difficulty_of({.points = 5}), 2);
  EXPECT_EQ(difficulty_of({.points = 4, .passes = 1}), 2);
  EXPECT_EQ(difficulty_of({.points = 5, .passes = 1}), 3);
  EXPECT_EQ(difficulty_of({.passes = 2}), 3);
  EXPECT_EQ(difficulty_of({.products = 1}), 3);
  EXPECT_EQ(difficulty_of({.points = 1, .products = 1}), 4);
  EXPECT_EQ(difficulty_of({.passes = 1, .products = 1}), 4);
  EXPECT_EQ(difficulty_of({.products = 2}), 4);
  EXPECT_EQ(difficulty_of({.loops = 1}), 4);
  EXPECT_EQ(difficulty_of({.products = 3}), 5);
}

TEST(Difficulty, IsGivenToEveryTaskByTheRule) {
  std::vector<std::string> wrong;
  int counted = 0;
  for (const ListedTask& listed : list_tasks(TASKS_FOLDER)) {
    const Task task = load_checked_task(listed.from);
    if (task.harness.oracle) continue;  // it has no body to count
    ++counted;
    const int level = difficulty_of(count_work(task.model));
    if (level != task.difficulty) wrong.push_back(task.name + ": difficulty: " + std::to_string(level));
  }
  EXPECT_THAT(wrong, testing::IsEmpty()) << "do: give them these, or see docs/tasks.md";
  EXPECT_GT(counted, 800);
}

}  // namespace
}  // namespace assay::spec

// SPDX-License-Identifier: Apache-2.0
// If, Loop and Scan, whose bodies see the values of the graph around them. Numbers by hand; all are exact.
#include "model.h"

namespace assay::oracle {
namespace {

TEST(If, TakesABranchWhichSeesTheGraphAroundIt) {
  const Graph pick = model(R"(pick (bool c, float[2] x) => (float[2] y)
  {
    twice = Add(x, x)
    y = If <then_branch = yes () => (float[2] a) { a = Neg(twice) },
            else_branch = no () => (float[2] b) { b = Identity(x) }> (c)
  })");
  expect_model(pick, {booleans({}, {1}), reals({2}, {3, -4})}, {reals({2}, {-6, 8})});
  expect_model(pick, {booleans({}, {0}), reals({2}, {3, -4})}, {reals({2}, {3, -4})});
}

TEST(If, NestsAndPassesOuterValuesThrough) {
  const Graph nested = model(R"(nested (bool c, bool d, float[1] x) => (float[1] y)
  {
    y = If <then_branch = outer () => (float[1] a) {
              a = If <then_branch = inner () => (float[1] e) { e = Mul(x, x) },
                      else_branch = other () => (float[1] f) { f = Neg(x) }> (d)
            },
            else_branch = no () => (float[1] b) { b = Identity(x) }> (c)
  })");
  const Input x = reals({1}, {5});
  expect_model(nested, {booleans({}, {1}), booleans({}, {1}), x}, {reals({1}, {25})});
  expect_model(nested, {booleans({}, {1}), booleans({}, {0}), x}, {reals({1}, {-5})});
  expect_model(nested, {booleans({}, {0}), booleans({}, {1}), x}, {reals({1}, {5})});
}

/// Adds `step`, from the graph around it, until the sum reaches `limit` or M iterations are over.
const char* const kLoop = R"(adds (int64 M, bool go, float[1] start, float[1] step, float[1] limit)
    => (float[1] sum, float[K, 1] sums)
  {
    sum, sums = Loop <body = once (int64 i, bool c, float[1] s) => (bool more, float[1] t, float[1] seen) {
      t = Add(s, step)
      seen = Identity(t)
      below = Less(t, limit)
      more = Squeeze(below)
    }> (M, go, start)
  })";

TEST(Loop, CarriesValuesAndStacksThoseOfEachIteration) {
  const Input start = reals({1}, {1}), step = reals({1}, {2}), far = reals({1}, {100});
  expect_model(model(kLoop), {integers({}, {3}), booleans({}, {1}), start, step, far}, {reals({1}, {7}), reals({3, 1}, {3, 5, 7})});
}

TEST(Loop, EndsWithItsConditionOrBeforeItBegins) {
  const Input start = reals({1}, {1}), step = reals({1}, {2}), near = reals({1}, {5});
  expect_model(model(kLoop), {integers({}, {9}), booleans({}, {1}), start, step, near}, {reals({1}, {5}), reals({2, 1}, {3, 5})});
  expect_model(model(kLoop), {integers({}, {9}), booleans({}, {0}), start, step, near}, {reals({1}, {1}), reals({0, 1}, {})});
  expect_model(model(kLoop), {integers({}, {0}), booleans({}, {1}), start, step, near}, {reals({1}, {1}), reals({0, 1}, {})});
}

TEST(Loop, CountsWhatItsBodyCosts) {
  Cost cost;
  run<double>(model(kLoop), {integers({}, {3}), booleans({}, {1}), reals({1}, {1}), reals({1}, {2}), reals({1}, {100})}, &cost);
  EXPECT_EQ(cost.flops, 3 * 2);  // Add and Less, an element each
  // Add reads 8 bytes and writes 4, Less reads 8 and writes 1, the views move nothing.
  EXPECT_EQ(cost.bytes, 3 * (12 + 9));
}

TEST(Scan, CarriesAStateAlongAnAxis) {
  const Graph sums = model(R"(sums (float[2] first, float[3, 2] x) => (float[2] last, float[3, 2] all)
  {
    last, all = Scan <num_scan_inputs = 1, body = add (float[2] s, float[2] e) => (float[2] t, float[2] seen) {
      t = Add(s, e)
      seen = Identity(t)
    }> (first, x)
  })");
  expect_model(sums, {reals({2}, {0, 0}), reals({3, 2}, {1, 2, 3, 4, 5, 6})}, {reals({2}, {9, 12}), reals({3, 2}, {1, 2, 4, 6, 9, 12})});
}

TEST(Scan, GoesBackwardsAndAlongOtherAxes) {
  const Graph sums = model(R"(sums (float[2] first, float[2, 3] x) => (float[2] last, float[2, 3] all)
  {
    last, all = Scan <num_scan_inputs = 1, scan_input_axes = [1], scan_input_directions = [1], scan_output_axes = [1],
                      scan_output_directions = [1], body = add (float[2] s, float[2] e) => (float[2] t, float[2] seen) {
      t = Add(s, e)
      seen = Identity(t)
    }> (first, x)
  })");
  // Rows 1 3 5 and 2 4 6, summed from their ends.
  expect_model(sums, {reals({2}, {0, 0}), reals({2, 3}, {1, 3, 5, 2, 4, 6})}, {reals({2}, {9, 12}), reals({2, 3}, {9, 8, 5, 12, 10, 6})});
}

TEST(Control, RefusesBodiesThatDoNotFit) {
  const Graph wrong = model(R"(f (bool c, float[1] x) => (float[1] y)
  {
    y = If <then_branch = yes () => (float[1] a) { a = Neg(x) },
            else_branch = no () => (float[1] b) { b = Neg(x) }> (c)
  })");
  Graph more = wrong;
  more.nodes[0].op_type = "Loop";
  EXPECT_THROW(run<double>(more, {booleans({}, {1}), reals({1}, {1})}), OperatorError);
}

}  // namespace
}  // namespace assay::oracle

// SPDX-License-Identifier: Apache-2.0
// Reading, writing and selecting through indices: operators/index.cpp, scatter.cpp and select.cpp.
#include "error_scale.h"

namespace assay::oracle {
namespace {

const Input kMatrix = reals({2, 3}, {1, 2, 3, 4, 5, 6});

TEST(Gather, takesSlicesAlongItsAxis) {
  expect(OneNode("Gather"), {kMatrix, integers({1, 2}, {1, -2})}, {1, 2, 3}, {4, 5, 6, 1, 2, 3});
  expect(OneNode("Gather").with("axis", 1), {kMatrix, integers({2}, {2, 0})}, {2, 2}, {3, 1, 6, 4});
  expect(OneNode("Gather").with("axis", -1), {kMatrix, integers({}, {-1})}, {2}, {3, 6});
  EXPECT_THROW(OneNode("Gather").run<float>({kMatrix, integers({1}, {2})}), OperatorError);
  EXPECT_THROW(OneNode("Gather").run<float>({kMatrix, integers({1}, {-3})}), OperatorError);
}

TEST(GatherElements, takesElementsAlongItsAxis) {
  expect(OneNode("GatherElements"), {kMatrix, integers({1, 3}, {1, 0, -1})}, {1, 3}, {4, 2, 6});
  expect(OneNode("GatherElements").with("axis", 1), {kMatrix, integers({2, 2}, {2, 0, 1, 1})}, {2, 2}, {3, 1, 5, 5});
  EXPECT_THROW(OneNode("GatherElements").run<float>({kMatrix, integers({1, 4}, {0, 0, 0, 0})}), OperatorError);
}

TEST(GatherND, takesElementsSlicesAndBatches) {
  expect(OneNode("GatherND"), {kMatrix, integers({2, 2}, {0, 0, 1, -1})}, {2}, {1, 6});
  expect(OneNode("GatherND"), {kMatrix, integers({2, 1}, {1, 0})}, {2, 3}, {4, 5, 6, 1, 2, 3});
  expect(OneNode("GatherND").with("batch_dims", 1), {kMatrix, integers({2, 1}, {2, 0})}, {2}, {3, 4});
}

TEST(ScatterElements, writesAndReduces) {
  const Input x = reals({3}, {1, 2, 3}), where = integers({3}, {1, 1, -1}), updates = reals({3}, {10, 20, 30});
  const OneNode scatter("ScatterElements");
  expect(scatter, {x, where, updates}, {3}, {1, 20, 30});
  expect(scatter.with("reduction", "add"), {x, where, updates}, {3}, {1, 32, 33});
  expect(scatter.with("reduction", "mul"), {x, where, updates}, {3}, {1, 400, 90});
  expect(scatter.with("reduction", "max"), {x, where, reals({3}, {-1, 5, 0})}, {3}, {1, 5, 3});
  expect(scatter.with("reduction", "min"), {x, where, reals({3}, {-1, 5, 0})}, {3}, {1, -1, 0});
  expect(scatter.with("axis", 1), {kMatrix, integers({2, 1}, {2, 0}), reals({2, 1}, {7, 8})}, {2, 3}, {1, 2, 7, 8, 5, 6});
  expect(scatter.with("reduction", "add"), {integers({2}, {1, 2}), integers({1}, {0}), integers({1}, {5})}, {2}, {6, 2});
  EXPECT_THROW(scatter.run<float>({x, integers({1}, {3}), reals({1}, {0})}), OperatorError);
  EXPECT_THROW(scatter.run<float>({x, integers({2}, {0, 1}), reals({1}, {0})}), OperatorError);
}

TEST(ScatterElements, addsAsOneSumPerElement) {
  Input where = integers({700}, {});
  for (int i = 0; i < 700; ++i) where.elements.push_back(i * i % 11);
  const OneNode add = OneNode("ScatterElements").with("reduction", "add");
  expect_honest_scale(add, {normal({11}, 1), where, normal({700}, 2)});
  // The scale of adding 100 ones to 1 is their sum, not that of 100 partial sums.
  const std::vector<Input> ones{reals({1}, {1}), integers({100}, std::vector<double>(100, 0)), reals({100}, std::vector<double>(100, 1))};
  EXPECT_EQ(bounds(add.run<Bounded>(ones)[0])[0], 101);
  // Element 2 is hit by no square modulo 11: it is copied, without an error.
  EXPECT_EQ(bounds(add.run<Bounded>({normal({11}, 1), where, normal({700}, 2)})[0])[2], 0);
}

TEST(ScatterND, writesSlices) {
  const OneNode scatter("ScatterND");
  expect(scatter, {kMatrix, integers({1, 1}, {1}), reals({1, 3}, {7, 8, 9})}, {2, 3}, {1, 2, 3, 7, 8, 9});
  expect(scatter.with("reduction", "add"), {kMatrix, integers({2, 2}, {0, 1, 0, 1}), reals({2}, {10, 20})}, {2, 3}, {1, 32, 3, 4, 5, 6});
  EXPECT_THROW(scatter.run<float>({kMatrix, integers({1, 1}, {1}), reals({1, 2}, {7, 8})}), OperatorError);
}

TEST(OneHot, marksTheIndex) {
  const Input off_on = reals({2}, {-1, 5});
  expect(OneNode("OneHot"), {integers({3}, {1, -1, 7}), integers({}, {3}), off_on}, {3, 3}, {-1, 5, -1, -1, -1, 5, -1, -1, -1});
  expect(OneNode("OneHot").with("axis", 0), {reals({2}, {0, 1}), reals({1}, {2}), off_on}, {2, 2}, {5, -1, -1, 5});
}

TEST(TopK, ordersAndPrefersTheLowerIndex) {
  const OneNode top("TopK", 2);
  const Input x = reals({2, 4}, {3, 1, 3, 2, -1, 0, -5, 0});
  expect(top, {x, integers({1}, {3})}, {2, 3}, {3, 3, 2, 0, 0, -1}, 0);
  expect(top, {x, integers({1}, {3})}, {2, 3}, {0, 2, 3, 1, 3, 0}, 1);
  expect(top.with("largest", 0).with("axis", 0), {x, integers({1}, {1})}, {1, 4}, {1, 1, 1, 1}, 1);
  EXPECT_THROW(top.run<float>({x, integers({1}, {5})}), OperatorError);
}

TEST(NonZero, listsIndices) {
  expect(OneNode("NonZero"), {reals({2, 2}, {1, 0, 1, 1})}, {2, 3}, {0, 1, 1, 0, 0, 1});
  expect(OneNode("NonZero"), {booleans({2}, {0, 0})}, {1, 0}, {});
}

TEST(Unique, groupsElementsAndSlices) {
  const OneNode unique("Unique", 4);
  const Input x = reals({6}, {2, 1, 1, 3, 4, 3});
  const std::vector<std::vector<double>> sorted{{1, 2, 3, 4}, {1, 0, 3, 4}, {1, 0, 0, 2, 3, 2}, {2, 1, 2, 1}};
  const std::vector<std::vector<double>> found{{2, 1, 3, 4}, {0, 1, 3, 4}, {0, 1, 1, 2, 3, 2}, {1, 2, 2, 1}};
  for (std::size_t i = 0; i < 4; ++i) {
    expect(unique, {x}, {static_cast<std::int64_t>(sorted[i].size())}, sorted[i], i);
    expect(unique.with("sorted", 0), {x}, {static_cast<std::int64_t>(found[i].size())}, found[i], i);
  }
  expect(unique.with("axis", 0), {reals({3, 2}, {1, 0, 1, 0, 0, 9})}, {2, 2}, {0, 9, 1, 0}, 0);
}

TEST(Compress, keepsWhatTheConditionMarks) {
  expect(OneNode("Compress").with("axis", 1), {kMatrix, booleans({2}, {0, 1})}, {2, 1}, {2, 5});
  expect(OneNode("Compress"), {kMatrix, booleans({5}, {0, 1, 0, 0, 1})}, {2}, {2, 5});
}

}  // namespace
}  // namespace assay::oracle

// SPDX-License-Identifier: Apache-2.0
#include "error_scale.h"

namespace assay::oracle {
namespace {

TEST(MatMul, multipliesMatrices) {
  expect(OneNode("MatMul"), {reals({2, 3}, {1, 2, 3, 4, 5, 6}), reals({3, 2}, {7, 8, 9, 10, 11, 12})}, {2, 2}, {58, 64, 139, 154});
}

TEST(MatMul, treatsVectorsAsRowsAndColumns) {
  expect(OneNode("MatMul"), {reals({2}, {1, 2}), reals({2}, {3, 4})}, {}, {11});
  expect(OneNode("MatMul"), {reals({2}, {1, 2}), reals({2, 2}, {1, 2, 3, 4})}, {2}, {7, 10});
  expect(OneNode("MatMul"), {reals({2, 2}, {1, 2, 3, 4}), reals({2}, {1, 2})}, {2}, {5, 11});
}

TEST(MatMul, broadcastsStacksBothWays) {
  // [2, 1, 1, 2] x [3, 2, 1]: every row vector with every column vector.
  expect(OneNode("MatMul"), {reals({2, 1, 1, 2}, {1, 2, 3, 4}), reals({3, 2, 1}, {1, 0, 0, 1, 1, 1})}, {2, 3, 1, 1}, {1, 2, 3, 3, 4, 7});
}

TEST(MatMul, sharesOneMatrixAcrossAStack) {
  expect(OneNode("MatMul"), {reals({2, 1, 2}, {1, 2, 3, 4}), reals({2, 2}, {0, 1, 1, 0})}, {2, 1, 2}, {2, 1, 4, 3});
}

TEST(MatMul, ofAnEmptySumIsZero) { expect(OneNode("MatMul"), {reals({1, 0}, {}), reals({0, 2}, {})}, {1, 2}, {0, 0}); }

TEST(MatMul, wrapsIntegersThatOverflow) {
  const double big = 4294967296;  // 2^32: its square is 0 modulo 2^64
  expect(OneNode("MatMul"), {integers({1, 2}, {big, 3}), integers({2, 1}, {big, 5})}, {1, 1}, {15});
}

TEST(MatMul, refusesExtentsThatDiffer) {
  EXPECT_THROW(OneNode("MatMul").run<float>({reals({1, 2}, {1, 2}), reals({3, 1}, {1, 2, 3})}), OperatorError);
  EXPECT_THROW(OneNode("MatMul").run<float>({reals({2, 1, 1}, {1, 2}), reals({3, 1, 1}, {1, 2, 3})}), OperatorError);
}

TEST(MatMul, countsAMultiplicationAndAnAdditionPerTerm) {
  Cost cost;
  OneNode("MatMul").run<float>({normal({4, 2, 3}, 1), normal({3, 5}, 2)}, &cost);
  EXPECT_EQ(cost.flops, 2.0 * 4 * 2 * 3 * 5);
}

TEST(MatMul, hasAnHonestErrorScale) {
  expect_honest_scale(OneNode("MatMul"), {normal({17, 333}, 1), normal({333, 9}, 2)});
  expect_honest_scale(OneNode("MatMul"), {uniform({4, 8, 65}, 3, 0, 1), uniform({4, 65, 8}, 4, 0, 1)});
}

TEST(Gemm, transposesScalesAndAdds) {
  const Input a = reals({2, 2}, {1, 2, 3, 4}), b = reals({2, 2}, {5, 6, 7, 8});
  expect(OneNode("Gemm"), {a, b}, {2, 2}, {19, 22, 43, 50});
  expect(OneNode("Gemm").with("transA", 1), {a, b}, {2, 2}, {26, 30, 38, 44});
  expect(OneNode("Gemm").with("transB", 1), {a, b}, {2, 2}, {17, 23, 39, 53});
  expect(OneNode("Gemm"), {a, b, reals({2}, {1, -1})}, {2, 2}, {20, 21, 44, 49});
  expect(OneNode("Gemm").with("alpha", 2.0).with("beta", 0.5), {a, b, reals({2, 1}, {10, 20})}, {2, 2}, {43, 49, 96, 110});
  expect(OneNode("Gemm").with("beta", 3.0), {a, b, reals({}, {1})}, {2, 2}, {22, 25, 46, 53});
}

TEST(Gemm, refusesAnAddendThatDoesNotBroadcast) {
  EXPECT_THROW(OneNode("Gemm").run<float>({normal({2, 2}, 1), normal({2, 2}, 2), normal({3}, 3)}), OperatorError);
  EXPECT_THROW(OneNode("Gemm").run<float>({normal({2, 2}, 1), normal({2, 2}, 2), normal({1, 2, 2}, 3)}), OperatorError);
}

TEST(Gemm, hasAnHonestErrorScale) {
  expect_honest_scale(OneNode("Gemm").with("transB", 1).with("alpha", 0.7).with("beta", 1.3),
                      {normal({20, 300}, 1), normal({10, 300}, 2), normal({10}, 3)});
}

TEST(MatMulInteger, takesZeroPointsPerRowAndColumn) {
  const Input a = integers({2, 2}, {11, 7, 3, 10}, ElementType::u8), b = integers({2, 2}, {1, 4, 2, 5}, ElementType::u8);
  expect(OneNode("MatMulInteger"), {a, b}, {2, 2}, {25, 79, 23, 62});
  expect(OneNode("MatMulInteger"), {a, b, integers({2}, {10, 0}, ElementType::u8), integers({2}, {1, 4}, ElementType::u8)}, {2, 2},
         {-3, -3, 10, 10});
}

TEST(Trilu, keepsATriangle) {
  const Input x = reals({2, 3}, {1, 2, 3, 4, 5, 6});
  expect(OneNode("Trilu"), {x}, {2, 3}, {1, 2, 3, 0, 5, 6});
  expect(OneNode("Trilu").with("upper", 0), {x}, {2, 3}, {1, 0, 0, 4, 5, 0});
  expect(OneNode("Trilu"), {x, integers({}, {1})}, {2, 3}, {0, 2, 3, 0, 0, 6});
  expect(OneNode("Trilu").with("upper", 0), {x, integers({}, {-1})}, {2, 3}, {0, 0, 0, 4, 0, 0});
  expect(OneNode("Trilu"), {x, integers({}, {9})}, {2, 3}, {0, 0, 0, 0, 0, 0});
}

TEST(Det, eliminatesWithPivots) {
  expect(OneNode("Det"), {reals({2, 2}, {1, 2, 3, 4})}, {}, {-2});
  expect(OneNode("Det"), {reals({2, 3, 3}, {0, 2, 1, 1, 0, 0, 3, 0, 1, 1, 2, 3, 2, 4, 6, 1, 0, 1})}, {2}, {-2, 0});
}

TEST(Det, isUncertainWhereRoundingSwallowsAColumn) {
  const auto error_of = [](const Shape& shape, const std::vector<double>& numbers) {
    return std::get<Tensor<Bounded>>(OneNode("Det").run<Bounded>({reals(shape, numbers)})[0].elements)[0].error;
  };
  // Once the first row is subtracted from the others nothing is left of their differences, and a determinant of 2e20 becomes 0.
  EXPECT_GE(error_of({3, 3}, {88, 1e20, 1e20, 1, 2, 3, 4, 5, 7}) * 0x1p-53, 2e20);
  EXPECT_EQ(error_of({2, 2}, {1, 0, 2, 0}), 0);
}

TEST(Einsum, contractsTransposesAndTraces) {
  const Input a = reals({2, 3}, {1, 2, 3, 4, 5, 6}), s = reals({2, 2}, {1, 2, 3, 4});
  expect(OneNode("Einsum").with("equation", "ij,kj->ik"), {a, a}, {2, 2}, {14, 32, 32, 77});
  expect(OneNode("Einsum").with("equation", "ij->ji"), {a}, {3, 2}, {1, 4, 2, 5, 3, 6});
  expect(OneNode("Einsum").with("equation", "ij->i"), {a}, {2}, {6, 15});
  expect(OneNode("Einsum").with("equation", "ii"), {s}, {}, {5});
  expect(OneNode("Einsum").with("equation", "ii->i"), {s}, {2}, {1, 4});
  expect(OneNode("Einsum").with("equation", "i,j->ij"), {reals({2}, {1, 2}), reals({2}, {3, 4})}, {2, 2}, {3, 4, 6, 8});
}

TEST(Einsum, broadcastsEllipses) {
  expect(OneNode("Einsum").with("equation", "...ij,...jk->...ik"), {reals({2, 1, 2}, {1, 2, 3, 4}), reals({2, 1}, {1, 10})}, {2, 1, 1},
         {21, 43});
}

TEST(Einsum, joinsThreeOperands) {
  const Input m = reals({2, 2}, {1, 2, 3, 4});
  expect(OneNode("Einsum").with("equation", "ij,jk,kl->il"), {m, m, m}, {2, 2}, {37, 54, 81, 118});
  expect(OneNode("Einsum").with("equation", "i,ij,j->"), {reals({2}, {1, 2}), m, reals({2}, {3, 4})}, {}, {61});
}

TEST(Einsum, hasAnHonestErrorScale) {
  expect_honest_scale(OneNode("Einsum").with("equation", "bhid,bhjd->bhij"), {normal({2, 3, 8, 64}, 1), normal({2, 3, 9, 64}, 2)});
}

}  // namespace
}  // namespace assay::oracle

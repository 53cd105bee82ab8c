// SPDX-License-Identifier: Apache-2.0
// Modes of evaluation end with the scope that began them, however it is left.
#include <stdexcept>

#include "one_node.h"

namespace assay::oracle {
namespace {

TEST(SumOrderScope, NestsAndEnds) {
  EXPECT_EQ(sum_order(), SumOrder::natural);
  {
    const SumOrderScope outer(SumOrder::reversed);
    {
      const SumOrderScope inner(SumOrder::pairwise);
      EXPECT_EQ(sum_order(), SumOrder::pairwise);
    }
    EXPECT_EQ(sum_order(), SumOrder::reversed);
  }
  EXPECT_EQ(sum_order(), SumOrder::natural);
}

TEST(SumOrderScope, EndsWithAnEvaluationThatFails) {
  const auto fail = [] {
    const SumOrderScope order(SumOrder::strided);
    OneNode("NoSuchOperator").run<float>({reals({1}, {1})});
  };
  EXPECT_THROW(fail(), std::exception);
  EXPECT_EQ(sum_order(), SumOrder::natural);
}

TEST(DoubleRangeScope, EndsWithItsRange) {
  constexpr double kBeyondFloat = 1e39;
  EXPECT_TRUE(overflows_in_some_order(kBeyondFloat));
  {
    const DoubleRangeScope in_double(true);
    EXPECT_FALSE(overflows_in_some_order(kBeyondFloat));
    {
      const DoubleRangeScope in_float(false);
      EXPECT_TRUE(overflows_in_some_order(kBeyondFloat));
    }
    EXPECT_FALSE(overflows_in_some_order(kBeyondFloat));
  }
  EXPECT_TRUE(overflows_in_some_order(kBeyondFloat));
}

/// A sum of two float16 numbers is rounded to float16 by whom rounds each result: the error grows by a unit of that type.
TEST(HalfRoundingScope, CountsARoundingWhileItLives) {
  const Input halves{ElementType::f16, {1}, {1.5}};
  const auto error = [&] { return std::get<Tensor<Bounded>>(OneNode("Add").run<Bounded>({halves, halves}).at(0).elements)[0].error; };
  const double computed_in_float = error();
  {
    const HalfRoundingScope rounds;
    EXPECT_GT(error(), 100 * computed_in_float);
  }
  EXPECT_EQ(error(), computed_in_float);
}

}  // namespace
}  // namespace assay::oracle

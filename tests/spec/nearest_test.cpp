// SPDX-License-Identifier: Apache-2.0
#include "assay/spec/nearest.h"

#include <gtest/gtest.h>

namespace assay::spec {
namespace {

const std::vector<std::string> tasks = {"softmax", "relu", "log_softmax", "sum_reduction_over_a_dimension", "mlp", "sgd", "cumsum_reverse"};

TEST(Nearest, IsWhatWasMeant) {
  EXPECT_EQ(did_you_mean("sofmax", tasks), ". did you mean: softmax?");
  EXPECT_EQ(did_you_mean("softmxa", tasks), ". did you mean: softmax?");
  EXPECT_EQ(did_you_mean("rleu", tasks), ". did you mean: relu?");
  EXPECT_EQ(did_you_mean("relu", tasks), ". did you mean: relu?");
}

TEST(Nearest, IsANameThatHoldsThePart) {
  EXPECT_EQ(did_you_mean("sum_reduction", tasks), ". did you mean: sum_reduction_over_a_dimension?");
  EXPECT_EQ(did_you_mean("cumsum", tasks), ". did you mean: cumsum_reverse?");
}

TEST(Nearest, SeveralAreNamedWhereTheyAreEquallyNear) {
  EXPECT_EQ(did_you_mean("m-3", {"m-1", "m-2", "other"}), ". did you mean: m-1, m-2?");
  EXPECT_EQ(did_you_mean("m-9", {"m-1", "m-2", "m-3", "m-4"}), ". did you mean: m-1, m-2, m-3?");
}

TEST(Nearest, IsNothingWhereNothingIsNear) {
  EXPECT_EQ(did_you_mean("convolution", tasks), "");
  EXPECT_EQ(did_you_mean("", {"relu"}), "");
  EXPECT_EQ(did_you_mean("c", {"a", "b"}), "");
  EXPECT_EQ(did_you_mean("relu", {}), "");
}

}  // namespace
}  // namespace assay::spec

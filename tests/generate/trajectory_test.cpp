// SPDX-License-Identifier: Apache-2.0
#include "assay/generate/trajectory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::generate {
namespace {

/// Right at once and faster later; right in its third turn; never right.
const std::vector<Trajectory> kSamples = {{{100, true, 1.0}, {200, false, {}}, {300, true, 4.0}},
                                          {{150, false, {}}, {150, false, {}}, {150, true, 1.0}},
                                          {{100, false, {}}, {100, false, {}}}};

TEST(Trajectory, IsTheBestSoFarByTurn) {
  const std::vector<Reached> rows = reached_by_turn(kSamples);
  ASSERT_EQ(rows.size(), 3);
  EXPECT_EQ(rows[0].right, 1);
  EXPECT_EQ(rows[0].tokens, 350);
  EXPECT_DOUBLE_EQ(*rows[0].speedup, 1.0);
  EXPECT_EQ(rows[1].right, 1);  // a wrong answer takes nothing away
  EXPECT_EQ(rows[1].samples, 3);
  EXPECT_EQ(rows[2].right, 2);
  EXPECT_EQ(rows[2].tokens, 1250);
  EXPECT_DOUBLE_EQ(*rows[2].speedup, 2.0);  // of 4 and 1
}

TEST(Trajectory, IsTheBestSoFarByToken) {
  const std::vector<Reached> rows = reached_by_token(kSamples);
  ASSERT_EQ(rows.size(), 4);
  EXPECT_EQ(rows[0].limit, 128);
  EXPECT_EQ(rows[0].samples, 2);  // the first answer of the second one took more
  EXPECT_EQ(rows[0].right, 1);
  EXPECT_EQ(rows[2].limit, 512);
  EXPECT_EQ(rows[2].right, 2);
  EXPECT_DOUBLE_EQ(*rows[2].speedup, 1.0);
  EXPECT_EQ(rows[3].limit, 1024);
  EXPECT_DOUBLE_EQ(*rows[3].speedup, 2.0);
}

TEST(Trajectory, IsATableWhereThereIsOne) {
  EXPECT_EQ(trajectory_text({}), "");
  EXPECT_EQ(trajectory_text({{}}), "");
  EXPECT_EQ(trajectory_text({{{0, true, {}}}}),
            "best so far by turn\n"
            "          turn  samples   right        tokens\n"
            "             1        1       1             0\n");
  EXPECT_THAT(trajectory_text(kSamples), testing::HasSubstr("best so far by token\n"
                                                            "   of a sample  samples   right  speedup        tokens\n"
                                                            "           128        2       1        1           200\n"));
}

}  // namespace
}  // namespace assay::generate

// SPDX-License-Identifier: Apache-2.0
#include "entries.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::cuda {
namespace {

using testing::ElementsAre;

TEST(Entries, HaveTheBytesOfTheirParameters) {
  const auto entries = entries_of(R"(.version 9.0
.visible .entry scale(
	.param .u64 .ptr .align 1 scale_param_0,
	.param .u32 scale_param_1,
	.param .f64 scale_param_2,
	.param .align 4 .b8 scale_param_3[20],
	.param .u8 scale_param_4
)
.maxntid 256, 1, 1
{
	ld.param.u64 	%rd1, [scale_param_0];
	ret;
}
.visible .entry nothing()
{
	ret;
}
.visible .func (.param .b32 r) helper(.param .b64 a) { ret; }
)");
  ASSERT_EQ(entries.size(), 2);
  EXPECT_THAT(entries.at("scale"), ElementsAre(8, 4, 8, 20, 1));
  EXPECT_TRUE(entries.at("nothing").empty());
}

TEST(Entries, OfTextThatIsCutAreThoseThatAreThere) {
  for (const char* text : {"", ".entry ", ".entry f", ".entry f(", ".entry f(.param", ".entry f(.param .", ".entry f(.param .b8 x["})
    EXPECT_LE(entries_of(text).size(), 1) << text;
}

}  // namespace
}  // namespace assay::cuda

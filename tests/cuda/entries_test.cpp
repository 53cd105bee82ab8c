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

TEST(Variables, AreUsedWhereTheyAreNamedAgain) {
  const std::string folded = ".global .align 4 .u32 kTile = 64;\n.visible .global .align 4 .b8 kTable[8] = {1, 0, 0, 0};\n",
                    code = ".visible .entry f(\n  .param .u64 f_param_0\n)\n{\n  ld.global.f32 %f1, [%rd1];\n  ret;\n}\n";
  EXPECT_FALSE(uses_variables(""));
  EXPECT_FALSE(uses_variables(code));
  EXPECT_FALSE(uses_variables(folded + code));
  EXPECT_FALSE(uses_variables(folded + code + "  mov.u32 %r1, kTiles;\n  mov.u32 %r2, my_kTile;\n"));  // others
  EXPECT_TRUE(uses_variables(folded + code + "  ld.global.u32 %r1, [kTile];\n"));
  EXPECT_TRUE(uses_variables(folded + code + "  mov.u64 %rd4, kTable;\n"));
  EXPECT_TRUE(uses_variables(folded + ".global .align 8 .u64 where[1] = {kTable};\n" + code));
  EXPECT_TRUE(uses_variables("  mov.u64 %rd4, late;\n\t.weak .const .align 4 .f32 late;"));
  EXPECT_TRUE(uses_variables(".global .attribute(.managed) .align 4 .u32 shared;\n  st.global.u32 [shared], %r1;"));
  EXPECT_TRUE(uses_variables(folded + "  ld.const[4].u64 %rd1, [0];\n"));
}

/// What a source's own assembler may write.
TEST(Variables, AreFoundWhereverTheyAreDeclared) {
  for (const char* text :
       {"{ .global .u32 hidden; st.global.u32 [hidden], 7; }", "ret;}.global .u32 hidden; .visible .func f() { st.global.u32 [hidden], 7;",
        ".visible.global .u32 hidden; st.global.u32 [hidden], 7;", ".loc 1 2 3.global .u32 hidden; st.global.u32 [hidden], 7;",
        "{ .global .u32 hidden, other; st.global.u32 [hidden], 7; }", "{ .global .u32 hidden[2], other; st.global.u32 [other], 7; }",
        "{ .global .u32 hidden[2] = {1, 2}, other; st.global.u32 [other], 7; }",
        "// .global .u32 hidden;\n.global .u32 hidden;\nst.global.u32 [hidden], 7;", "#define there hidden\n.global .u32 hidden;"})
    EXPECT_TRUE(uses_variables(text)) << text;
}

TEST(Variables, OfTextThatIsCutAreUsed) {
  for (const char* text :
       {".global", ".global ", ".const .align", ".visible .global .align 4 .u32", ".global ;", ".global = [", ".global = 1;"})
    EXPECT_TRUE(uses_variables(text)) << text;
}

}  // namespace
}  // namespace assay::cuda

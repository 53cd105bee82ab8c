// SPDX-License-Identifier: Apache-2.0
#include "assay/record/printable.h"

#include <gtest/gtest.h>

namespace assay::record {
namespace {

/// A character as UTF-8, spelt in three bytes or four.
std::string utf8(char32_t code) {
  const auto byte = [](char32_t bits) { return static_cast<char>(bits); };
  if (code < 0x800) return {byte(0xC0 | code >> 6), byte(0x80 | (code & 0x3F))};
  if (code < 0x10000) return {byte(0xE0 | code >> 12), byte(0x80 | (code >> 6 & 0x3F)), byte(0x80 | (code & 0x3F))};
  return {byte(0xF0 | code >> 18), byte(0x80 | (code >> 12 & 0x3F)), byte(0x80 | (code >> 6 & 0x3F)), byte(0x80 | (code & 0x3F))};
}

TEST(Printable, SpellsOutControls) {
  EXPECT_EQ(printable("\x1b[31mred\x1b[0m"), "\\x1b[31mred\\x1b[0m");
  EXPECT_EQ(printable("two\nlines\tand\x7f"), "two lines and\\x7f");
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\\x00b");
  for (char32_t code = 0x80; code < 0xA0; ++code)
    EXPECT_EQ(printable(utf8(code)).substr(0, 2), "\\x") << std::hex << static_cast<unsigned>(code);
}

TEST(Printable, SpellsOutWhatReordersOrHides) {
  for (const char32_t code : {0x00ADu, 0x061Cu, 0x180Eu, 0x200Bu, 0x200Eu, 0x200Fu, 0x2028u, 0x2029u, 0x202Au,  0x202Eu,  0x2060u, 0x2066u,
                              0x2069u, 0x206Fu, 0x3164u, 0xFE0Fu, 0xFEFFu, 0xFFF9u, 0xFFFEu, 0xFFFFu, 0xE0001u, 0xE007Fu, 0x1FFFEu}) {
    const std::string shown = printable("a" + utf8(code) + "z");
    EXPECT_EQ(shown.find(utf8(code)), shown.npos) << std::hex << static_cast<unsigned>(code);
    EXPECT_EQ(shown.front(), 'a');
    EXPECT_EQ(shown.back(), 'z');
  }
  EXPECT_EQ(printable(utf8(0x202E)), "\\u202e");
  EXPECT_EQ(printable(utf8(0xE0001)), "\\U000e0001");
}

TEST(Printable, SpellsOutBytesThatAreNoText) {
  EXPECT_EQ(printable("a\xff\xc0\xafz"), "a\\xff\\xc0\\xafz");
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // a surrogate
  EXPECT_EQ(printable("\xe2\x82"), "\\xe2\\x82");           // cut short
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
}

TEST(Printable, LeavesText) {
  for (const char* text : {"größe ✓ 🙂", "ядро", "核", "a < b && c > d", "\\x1b", "\xef\xbf\xbd"}) EXPECT_EQ(printable(text), text);
}

TEST(PrintableLines, KeepsLinesAndNothingElse) {
  EXPECT_EQ(printable_lines("a\r\n\tb\rc\n\x1b"
                            "d"),
            "a\n\tb\\x0dc\n\\x1bd");
  EXPECT_EQ(printable_lines("\r\r\n"), "\\x0d\n");
}

TEST(CutTo, CutsBetweenCharacters) {
  EXPECT_EQ(cut_to("short", 5), "short");
  EXPECT_EQ(cut_to("too long", 6), "too...");
  EXPECT_EQ(cut_to("éééé", 6), "é...");
  EXPECT_EQ(cut_to("éééé", 7), "éé...");
}

}  // namespace
}  // namespace assay::record

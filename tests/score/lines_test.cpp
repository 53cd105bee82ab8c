// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "assay/score/json_lines.h"

namespace assay::score {
namespace {

/// Numbered lines, "!" for one that was too long.
std::vector<std::string> lines_of(std::string_view text, std::size_t piece, std::size_t most = 10) {
  std::vector<std::string> lines;
  const auto on_line = [&](std::string_view line, std::size_t number, bool too_long) {
    EXPECT_TRUE(!too_long || line.empty());
    lines.push_back(std::to_string(number) + (too_long ? "!" : ":" + std::string(line)));
  };
  LineReader reader(most);
  for (std::size_t at = 0; at < text.size(); at += piece) reader.take(text.substr(at, piece), on_line);
  reader.finish(on_line);
  return lines;
}

TEST(Lines, AreTheSameInAnyPieces) {
  for (std::size_t piece = 1; piece < 40; ++piece) {
    EXPECT_THAT(lines_of("a\n\nbc\r\n  \nd", piece), testing::ElementsAre("1:a", "3:bc\r", "5:d"));
    EXPECT_THAT(lines_of("0123456789\n01234567890\nx\n", piece), testing::ElementsAre("1:0123456789", "2!", "3:x"));
    EXPECT_THAT(lines_of("01234567890123456789012345678901234567890", piece), testing::ElementsAre("1!"));
    EXPECT_THAT(lines_of("", piece), testing::ElementsAre());
  }
}

TEST(Lines, HaveTheirNumberForAnId) {
  EXPECT_EQ(sample_of_line(R"({"task":"relu","source":"x"})", 7, false).id, "line-7");
  EXPECT_EQ(sample_of_line(R"({"id":"a","task":"relu","source":"x"})", 7, false).id, "a");
  try {
    sample_of_line("{", 7, false);
    FAIL();
  } catch (const SampleError& error) {
    EXPECT_THAT(error.what(), testing::StartsWith("line 7: sample: is no JSON"));
  }
  EXPECT_THROW(sample_of_line("", 7, true), SampleError);
}

}  // namespace
}  // namespace assay::score

// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>

#include "assay/record/record.h"

namespace assay::record {
namespace {

TEST(Verdict, HasARowOfItsOwn) {
  std::set<std::string_view> names, glyphs;
  for (const VerdictInfo& row : all_verdicts) {
    EXPECT_EQ(verdict_named(row.name), row.verdict);
    EXPECT_EQ(info(row.verdict).name, row.name);
    EXPECT_FALSE(row.family.empty() || row.meaning.empty()) << row.name;
    names.insert(row.name), glyphs.insert(row.glyph);
  }
  EXPECT_EQ(names.size(), all_verdicts.size());
  EXPECT_EQ(glyphs.size(), all_verdicts.size());
  EXPECT_FALSE(verdict_named("pass"));
}

TEST(Verdict, IsTheCandidatesFaultOrNot) {
  EXPECT_TRUE(is_failure(Verdict::crash));
  for (const Verdict verdict : {Verdict::pass, Verdict::inconclusive, Verdict::harness_error}) EXPECT_FALSE(is_failure(verdict));
}

TEST(Tier, IsOrderedByStrength) {
  EXPECT_LT(Tier::none, Tier::reduced);
  EXPECT_LT(Tier::reduced, Tier::full);
  for (const std::string_view text : tier_names) EXPECT_EQ(name(tier_named(text).value()), text);
  EXPECT_FALSE(tier_named("most"));
  EXPECT_EQ(known_tiers(), "full reduced none");
}

TEST(Doubt, HasAName) {
  for (const Doubt doubt : {Doubt::none, Doubt::machine, Doubt::candidate, Doubt::length}) EXPECT_EQ(doubt_named(name(doubt)), doubt);
  EXPECT_FALSE(doubt_named("nobody"));
}

}  // namespace
}  // namespace assay::record

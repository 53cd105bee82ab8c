// SPDX-License-Identifier: Apache-2.0
#include "assay/record/verdict.h"

namespace assay::record {

namespace {

constexpr bool is_in_order() {
  for (std::size_t i = 0; i < all_verdicts.size(); ++i)
    if (static_cast<std::size_t>(all_verdicts[i].verdict) != i) return false;
  return true;
}
static_assert(is_in_order(), "the table of verdicts has a row for each, in the order of the enumeration");

}  // namespace

const VerdictInfo& info(Verdict verdict) { return all_verdicts[static_cast<std::size_t>(verdict)]; }

std::string_view name(Verdict verdict) { return info(verdict).name; }

std::optional<Verdict> verdict_named(std::string_view name) {
  for (const auto& row : all_verdicts)
    if (row.name == name) return row.verdict;
  return std::nullopt;
}

bool is_failure(Verdict verdict) {
  return verdict != Verdict::pass && verdict != Verdict::inconclusive && verdict != Verdict::harness_error;
}

int exit_code(Verdict verdict) {
  if (verdict == Verdict::pass) return 0;
  return verdict == Verdict::harness_error ? 3 : 1;
}

}  // namespace assay::record

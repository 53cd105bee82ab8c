// SPDX-License-Identifier: Apache-2.0
#include "assay/stages/findings.h"

#include <fmt/format.h>

#include <algorithm>

namespace assay::stages {

using cases::Comparison;
using record::Record, record::Verdict;

namespace {

/// Of the bound; one that allows no error says least.
double share_of(const Comparison& comparison) { return comparison.bound > 0 ? comparison.scaled / comparison.bound : -1; }

bool is_worse(const Comparison& one, const Comparison& other) {
  if (one.accepted != other.accepted) return other.accepted;
  return !(share_of(one) <= share_of(other));
}

}  // namespace

std::string Findings::add(const CalledCase& called) {
  const Comparison &first = called.calls[0], &second = called.calls[1];
  const Comparison& wrong = first.accepted ? second : first;
  repeatable_ = repeatable_ && called.repeats;
  keep_worst(wrong);
  if (first.accepted && second.accepted) {
    ++passed_;
    return "";
  }
  if (first.accepted != second.accepted)
    return note(Verdict::nondeterministic,
                fmt::format("two calls on the same inputs: call {} was right, the other not: {}", first.accepted ? 1 : 2, wrong.detail));
  return note(Verdict::wrong_result, wrong.detail);
}

std::string Findings::stop(const trial::FailedLaunch& failed) {
  stopped_ = true;
  return note(failed.failure.verdict, fmt::format("{}: {}", failed.entry, failed.failure.detail));
}

void Findings::fill(Record& record, std::size_t planned) const {
  record::set_verdict(record, verdict_, detail_);
  record.cases = {static_cast<int>(planned), static_cast<int>(passed_)};
  const Comparison worst = worst_.value_or(Comparison());
  record.errors = {max_abs_, max_rel_, worst.scaled, worst.bound, worst.where};
  record.repeatable = repeatable_;
}

/// The first failure is the verdict, unless a later one shows more: a crash outranks a wrong result.
std::string Findings::note(Verdict verdict, std::string detail) {
  if (verdict_ == Verdict::pass || stopped_) {
    verdict_ = verdict;
    detail_ = detail;
  }
  return detail;
}

void Findings::keep_worst(const Comparison& comparison) {
  max_abs_ = std::max(max_abs_, comparison.max_abs);
  max_rel_ = std::max(max_rel_, comparison.max_rel);
  if (!worst_ || is_worse(comparison, *worst_)) worst_ = comparison;
}

}  // namespace assay::stages

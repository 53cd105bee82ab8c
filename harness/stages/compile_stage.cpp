// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <stdexcept>

#include "assay/compile/compilation.h"
#include "assay/compile/source_files.h"
#include "assay/record/output.h"
#include "assay/record/printable.h"
#include "assay/stages/stages.h"
#include "stage_record.h"

namespace assay::stages {
namespace {

using compile::StoredCompilation;
using plan::Candidate, plan::Plan;
using record::Record, record::set_verdict, record::Verdict;

/// Throws where `made` is none of the candidate as it is, or as the run wants it.
void require_current(const StoredCompilation& made, const Plan& plan, const Candidate& candidate) {
  // Ninja compares times alone: a copy that kept an older one leaves the result of another source in place.
  if (!candidate.source.empty() && made.source != fingerprint_of(compile::read_source_files(candidate.source)))
    throw std::runtime_error(fmt::format("{} is the result of another source. do: touch {} and build again",
                                         candidate.compile_record().string(), candidate.source.string()));
  const auto required = record::tier_named(plan.settings.require_tier);
  if (required && made.record.tier < *required)
    throw std::runtime_error(fmt::format("was compiled in the sandbox tier {}, and {} is required. do: remove {} and build again",
                                         record::name(made.record.tier), plan.settings.require_tier, candidate.compile_record().string()));
}

/// What the compilation found, in the record of this task and run.
void take_outcome(Record& record, const Record& compiled) {
  record.verdict = compiled.verdict;
  record.detail = compiled.detail;
  record.tier = compiled.tier;
  record.compile_ms = compiled.compile_ms;
  record.device = compiled.device;
}

}  // namespace

CompileOutcome compile_outcome(const Plan& plan, const Candidate& candidate) {
  CompileOutcome outcome{begin_record(plan, candidate, record::Stage::compile), ""};
  try {
    const StoredCompilation made = compile::load_compilation(candidate);
    require_current(made, plan, candidate);
    take_outcome(outcome.record, made.record);
    // spelt out, a byte takes up to four
    outcome.diagnostics = record::cut_to(record::harmless(made.diagnostics), 2 * compile::kDiagnosticsKept);
  } catch (const std::exception& error) {
    set_verdict(outcome.record, Verdict::harness_error, error.what());
  }
  return outcome;
}

int show_compilation(const Plan& plan, const Candidate& candidate) {
  const CompileOutcome outcome = compile_outcome(plan, candidate);
  return conclude(outcome.record, outcome.diagnostics, candidate);
}

}  // namespace assay::stages

// SPDX-License-Identifier: Apache-2.0
#include "stage_record.h"

#include <cstdio>
#include <stdexcept>

#include "assay/program/controls.h"
#include "assay/program/run.h"
#include "assay/record/output.h"
#include "assay/results/kept_result.h"
#include "assay/timing/machine.h"

namespace assay::stages {

using plan::Candidate, plan::Plan;
using timing::machine_fingerprint;

namespace {

/// Whether the problem is vacuous its fixture has found out; a stage that runs without it does not know.
void describe_program(const Plan& plan, record::Record& record) {
  if (program::share_a_process(plan)) record.trust = "in-process";
  record.profile = plan.verbatim ? "compute-eval" : "";
  record.no_bench = !plan.has_bench;
  try {
    record.vacuous = program::load_controls(plan).vacuous;
  } catch (const std::exception&) {
  }
}

}  // namespace

record::Record begin_record(const Plan& plan, const Candidate& candidate, record::Stage stage) {
  record::Record record;
  record.sample = {candidate.run, plan.task.name, plan.toolchain.backend, candidate.sample};
  record.stage = stage;
  record.category = plan.task.category;
  record.difficulty = plan.task.difficulty;
  record.suites = plan.task.suites;
  record.machine = machine_fingerprint();
  record.profile = plan.settings.profile;
  if (plan.toolchain.is_program()) describe_program(plan, record);
  if (plan.toolchain.is_host_code_of_device()) record.trust = "guarded";
  return record;
}

/// What cannot be kept is printed all the same: the verdict stands.
static void keep(const record::Record& record, const std::string& text, results::ResultFile& kept) try {
  kept.finish(record::record_line(record), record::harmless(text), record::exit_code(record.verdict));
} catch (const std::runtime_error& error) {
  std::printf("the result is not kept: %s\n", record::harmless(error.what()).c_str());
}

int conclude(const record::Record& record, const std::string& text, const Candidate& candidate) {
  record::print_result(record, text);
  if (candidate.result != nullptr) keep(record, text, *candidate.result);
  return record::exit_code(record.verdict);
}

}  // namespace assay::stages

// SPDX-License-Identifier: Apache-2.0
#include "program_stage.h"

#include <fmt/format.h>

#include "assay/compile/compilation.h"
#include "assay/compile/scratch.h"
#include "assay/compile/source_files.h"
#include "assay/problem/problem_folder.h"
#include "assay/program/build.h"
#include "assay/program/controls.h"
#include "assay/program/run.h"
#include "assay/record/output.h"
#include "assay/record/printable.h"
#include "assay/spec/whole_file.h"
#include "assay/timing/device_turns.h"
#include "stage_record.h"

namespace assay::stages {
namespace {

using plan::Candidate, plan::Plan;
using problem::Problem;
using program::Ended;
using record::Record, record::set_verdict, record::Verdict;

/// The candidate's sources are not among the stage's arguments: what was compiled is.
Ended run_verbatim(const Plan& plan, const Problem& problem, const Candidate& candidate, const std::filesystem::path& work) {
  const compile::SourceFiles sources = compile::read_source_files(candidate.source);
  if (!sources.fault.empty()) return {Verdict::compile_error, sources.fault, "", record::Tier::none, 0};
  return program::run_verbatim(plan, problem, program::placed_files(problem, sources), work);
}

Ended run_linked(const Plan& plan, const Problem& problem, const Candidate& candidate, const std::filesystem::path& work) {
  const compile::PassedLibrary linked(candidate);
  program::Call call = program::test_call(problem);
  if (!program::share_a_process(plan)) call.changes = program::load_controls(plan).changes;
  Ended ended = program::run_program(plan, problem, candidate.library(), call, work);
  linked.require_unchanged();
  return ended;
}

}  // namespace

void prepare_program(const Plan& plan) {
  const auto turns = timing::share_all_devices(plan.settings.machine);
  const program::Controls controls = program::run_controls(plan);
  for (const program::Control& run : controls.runs)
    fmt::print("{}: {} {}\n", run.name, record::name(run.verdict), record::harmless(run.detail));
  if (controls.vacuous) fmt::print("{} is vacuous: {}\n", plan.task.name, controls.why);
}

int test_program(const Plan& plan, const Candidate& candidate) {
  Record record = begin_record(plan, candidate, record::Stage::test);
  std::string output;
  try {
    const Problem problem = problem::read_problem(plan.task.task_yaml.file);
    const compile::Scratch scratch(candidate);
    const auto run = plan.verbatim ? run_verbatim : run_linked;
    auto turns = timing::share_all_devices(plan.settings.machine);
    Ended ended = run(plan, problem, candidate, scratch.path() / "run");
    turns.clear();
    record.tier = ended.tier;
    set_verdict(record, ended.verdict, ended.detail);
    record.cases = record::CaseCount{1, ended.verdict == Verdict::pass ? 1 : 0};
    output = std::move(ended.output);
    spec::write_whole_file("test", candidate.output(), output);
  } catch (const std::exception& error) {
    set_verdict(record, Verdict::harness_error, error.what());
  }
  return conclude(record, record::cut_to(record::harmless(output), 2 * program::kOutputKept), candidate);
}

}  // namespace assay::stages

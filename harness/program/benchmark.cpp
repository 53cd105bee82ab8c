// SPDX-License-Identifier: Apache-2.0
#include "assay/program/benchmark.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "assay/compile/scratch.h"
#include "assay/problem/problem_folder.h"
#include "assay/program/build.h"
#include "assay/program/controls.h"
#include "assay/sandbox/processors.h"
#include "assay/spec/whole_file.h"

namespace assay::program {
namespace {

namespace fs = std::filesystem;
using compile::Scratch, compile::StoredCompilation;
using plan::Plan;
using problem::Problem;
using record::Verdict;

fs::path note_of(const Plan& plan) { return test_folder(plan) / "benchmark.json"; }
TimedReference programs_of(const Plan& plan) { return {test_folder(plan) / "reference", test_folder(plan) / "start"}; }

bool is_prepared(const Plan& plan) {
  std::ifstream in(note_of(plan));
  const auto json = nlohmann::json::parse(in, nullptr, false);
  const TimedReference programs = programs_of(plan);
  return json.is_object() && json.value("basis", "") == basis_of(plan) && fs::exists(programs.program) && fs::exists(programs.start);
}

[[noreturn]] void fail(const Plan& plan, Verdict verdict, const std::string& detail) {
  throw std::runtime_error(fmt::format("{}: its own reference solution does not pass its benchmark here: {}: {}. do: see docs/programs.md",
                                       plan.task.name, record::name(verdict), detail));
}

void require_pass(const Plan& plan, const Problem& problem, const fs::path& program, const Call& call, const fs::path& work) {
  const Ended ended = run_program(plan, problem, program, call, work);
  if (ended.verdict != Verdict::pass) fail(plan, ended.verdict, ended.detail);
  if (program.filename() != "start" && !timed_seconds(problem, ended))
    fail(plan, Verdict::policy, "it enters no NVTX range that its timing_mode names");
}

}  // namespace

void prepare_benchmark(const Plan& plan) {
  if (is_prepared(plan)) return;
  std::error_code error;
  fs::remove(note_of(plan), error);
  const Problem problem = problem::read_problem(plan.task.task_yaml.file);
  const Call call = benchmark_call(problem, sandbox::processors().boxes);
  const Scratch scratch(plan::Candidate{"benchmark", 0, {}, test_folder(plan) / "timed", nullptr});
  StoredCompilation made;
  const fs::path program = build_candidate(plan, sources_of(problem.solution), scratch, made);
  if (made.record.verdict != Verdict::pass) fail(plan, made.record.verdict, made.record.detail);
  const fs::path start = build_start(plan, scratch);
  require_pass(plan, problem, program, call, scratch.path() / "run");
  require_pass(plan, problem, start, call, scratch.path() / "run_start");
  const TimedReference kept = programs_of(plan);
  fs::rename(program, kept.program);
  fs::rename(start, kept.start);
  const nlohmann::ordered_json json = {{"version", 1}, {"basis", basis_of(plan)}};
  spec::write_whole_file("benchmark", note_of(plan), json.dump() + "\n");
}

TimedReference load_benchmark(const Plan& plan) {
  if (!is_prepared(plan))
    throw std::runtime_error(
        fmt::format("{} is not there, or of other files. do: run the fixture assay.{}.timing", note_of(plan).string(), plan.task.name));
  return programs_of(plan);
}

std::optional<double> timed_seconds(const Problem& problem, const Ended& ended) {
  if (!problem.timing.is_region()) return ended.seconds;
  if (!(ended.range_seconds > 0)) return {};
  return ended.range_seconds;
}

}  // namespace assay::program

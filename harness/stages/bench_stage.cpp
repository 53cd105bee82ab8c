// SPDX-License-Identifier: Apache-2.0
// The candidate against the baseline under Google Benchmark. Each timing shape is one benchmark, a repetition is one launch
// (paired_timing.h), an iteration is one pair; its manual time is the candidate's.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cmath>
#include <exception>
#include <utility>

#include "assay/compile/compilation.h"
#include "assay/record/output.h"
#include "assay/stages/stages.h"
#include "bench.h"
#include "captured_output.h"
#include "program_arguments.h"
#include "program_stage.h"
#include "stage_record.h"

namespace assay::stages {
namespace {

using compile::PassedLibrary;
using plan::Candidate, plan::Plan;
using record::Record, record::set_verdict, record::Verdict;
using timing::CandidateFailed;
using trial::Failure;

/// A pair for each iteration.
void show(const Bench::Shown& launch, benchmark::State& state) {
  auto seconds = launch.seconds.begin();
  for ([[maybe_unused]] auto iteration : state) state.SetIterationTime(*seconds++);
  state.counters["speedup"] = std::exp(launch.log_ratio);
  state.counters["baseline_s"] = launch.baseline_seconds;
}

/// Google Benchmark's statistics abort over repetitions of unequal length, also where one was skipped with an error.
void leave_untimed(benchmark::State& state, const std::string& why) {
  while (state.KeepRunning()) state.SetIterationTime(0);
  state.SetLabel(why);
}

/// Runs the launches under Google Benchmark; the first failure of the candidate ends them.
void run_launches(Bench& bench, const std::string& name, const std::vector<std::string>& flags) {
  std::optional<Failure> failed;
  std::exception_ptr broken;
  ProgramArguments arguments("assay-judge bench", flags);
  benchmark::Initialize(&arguments.count, arguments.values());
  if (benchmark::ReportUnrecognizedArguments(arguments.count, arguments.values()))
    throw std::runtime_error("assay-judge bench: unknown flag. do: see --help and Google Benchmark's flags");
  for (std::size_t shape = 0; shape < bench.shapes(); ++shape) {
    const auto launch = [&, shape](benchmark::State& state) {
      // Nothing may leave through Google Benchmark's frames; a launch after a failure has nothing to time.
      if (failed || broken) return leave_untimed(state, "an earlier launch failed");
      try {
        show(bench.launch(shape), state);
      } catch (const CandidateFailed& end) {
        failed = end.failure;
        leave_untimed(state, record::harmless(end.failure.detail));
      } catch (...) {
        broken = std::current_exception();
        leave_untimed(state, "the harness failed");
      }
    };
    benchmark::RegisterBenchmark((name + "/" + bench.shape_name(shape)).c_str(), launch)
        ->UseManualTime()
        ->Iterations(bench.effort().pairs)
        ->Repetitions(bench.effort().launches)
        ->Unit(benchmark::kMicrosecond);
  }
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  if (broken) std::rethrow_exception(broken);
  if (failed) throw CandidateFailed{*failed};
}

}  // namespace

int bench_candidate(const Plan& plan, const Candidate& candidate, const std::vector<std::string>& flags) {
  if (plan.toolchain.is_program()) return bench_program(plan, candidate);
  Record record = begin_record(plan, candidate, record::Stage::bench);
  CapturedOutput capture;
  oracle::keep_blocks(std::size_t{4} << 30);
  try {
    const PassedLibrary library(candidate);
    record.device = library.device();
    const timing::PairedSetting setting =
        candidate_against_baseline(plan, candidate, library.device_code(), take_seat(plan, library.device_code()));
    record.tier = sandbox::tier_of(setting.candidate.layers);
    Bench bench(plan, library.device_code(), setting, [&] { return peaks_for(plan, setting); });
    sandbox::pin_to(setting.processors.judge);
    try {
      run_launches(bench, record.sample.text(), flags);
      bench.fill(record);
    } catch (const CandidateFailed& failed) {
      set_verdict(record, failed.failure.verdict, failed.failure.detail);
    }
    library.require_unchanged();
  } catch (const std::exception& error) {
    set_verdict(record, Verdict::harness_error, error.what());
  }
  return conclude(record, capture.take(), candidate);
}

}  // namespace assay::stages

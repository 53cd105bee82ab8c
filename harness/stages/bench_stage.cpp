// SPDX-License-Identifier: Apache-2.0
// The candidate against the baseline under Google Benchmark. Each timing shape is one benchmark, a repetition is one launch
// (paired_timing.h), an iteration is one pair; its manual time is the candidate's.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <exception>
#include <utility>

#include "assay/compile/compilation.h"
#include "assay/record/output.h"
#include "assay/stages/bench_figures.h"
#include "assay/stages/second_attempt.h"
#include "assay/stages/stages.h"
#include "assay/timing/device_monitor.h"
#include "assay/timing/device_peaks.h"
#include "assay/timing/machine.h"
#include "assay/timing/machine_state.h"
#include "assay/timing/paired_timing.h"
#include "captured_output.h"
#include "program_arguments.h"
#include "program_stage.h"
#include "stage_record.h"

namespace assay::stages {
namespace {

using cases::fresh_seed, cases::load_cases, cases::PreparedCase, cases::RandomStream, cases::seed_text, cases::Seed, cases::TimedDraw,
    cases::TimingShape;
using compile::PassedLibrary;
using record::Record, record::set_verdict, record::Verdict;
using timing::all_of, timing::CandidateFailed, timing::DeviceMonitor, timing::DeviceTurns, timing::Effort, timing::effort_of,
    timing::load_peaks, timing::MachinePeaks, timing::measure_device, timing::NoiseMeter, timing::PairedSetting, timing::Seat,
    timing::threads_of, timing::time_launch, timing::Turn;
using trial::baseline_program, plan::Candidate, trial::candidate_program, plan::DeviceCode, trial::Failure, plan::Plan,
    trial::prepare_launches;

bool is_cold(const std::string& cache) {
  if (cache == "warm" || cache == "cold") return cache == "cold";
  throw std::runtime_error(fmt::format("bench: unknown state of the caches '{}'. known: warm cold", cache));
}

/// Where CTest hands devices out, benches run side by side: the judge of each has its own processors, those of its seat.
std::optional<Seat> take_seat(const Plan& plan, const std::optional<DeviceCode>& code) {
  if (!code || std::getenv("CTEST_RESOURCE_GROUP_COUNT") == nullptr) return {};
  return std::optional<Seat>(std::in_place, plan.settings.machine, sandbox::shares_of(sandbox::processors()));
}

PairedSetting candidate_against_baseline(const Plan& plan, const Candidate& candidate, const std::optional<DeviceCode>& code,
                                         const std::optional<Seat>& seat) {
  const sandbox::Processors all = sandbox::processors(), cpus = seat ? sandbox::share_of(all, seat->number()) : all;
  const trial::BoxProgram baseline = baseline_program(plan);
  PairedSetting setting{candidate_program(plan, candidate, code, threads_of(cpus), bench_budget(plan.task.time_limit)), baseline,
                        std::make_shared<timing::IdleBox>(baseline), cpus, is_cold(plan.settings.cache)};
  if (code) setting.turns = DeviceTurns(plan.settings.machine, code->device);
  return setting;
}

class Bench {
 public:
  Bench(const Plan& plan, const Candidate& candidate, const std::optional<DeviceCode>& code)
      : plan_(plan),
        code_(code),
        task_(spec::load_checked_task(plan.task.task_yaml)),
        effort_(effort_of(plan.settings.effort)),
        seed_(fresh_seed()),
        random_(seed_, {"order"}),
        seat_(take_seat(plan, code)),
        setting_(candidate_against_baseline(plan, candidate, code, seat_)),
        timed_{{}, measure_peaks(), is_one_product(task_.model), reads_all_inputs(task_.model)},
        noise_(setting_.processors.boxes),
        shapes_(load_cases(plan.task.timing()).timing) {
    for (const TimingShape& shape : shapes_) timed_.shapes.push_back({shape.dims, {}, {}});
    if (shapes_.empty()) throw std::runtime_error(fmt::format("bench: task {} has no timing: {}", task_.name, plan.settings.shapes));
    if (code && setting_.candidate.transfers) setting_.read_device = [&monitor = monitor_.emplace(code->device)] { return monitor.read(); };
    sandbox::pin_to(setting_.processors.judge);
  }

  record::Tier tier() const { return sandbox::tier_of(setting_.candidate.layers); }
  std::size_t shapes() const { return shapes_.size(); }
  const Effort& effort() const { return effort_; }
  std::string shape_name(std::size_t index) const { return spell(shapes_[index].dims); }

  /// One launch on a shape, a pair for each iteration of `state`.
  void launch(std::size_t index, benchmark::State& state) {
    timing::ShapeTimes& times = timed_.shapes[index].times;
    if (index != drawn_) attempts_.unless_killed([&] { begin(index); });
    attempts_.unless_killed([&] { times.add(time_launch(setting_, *draw_, draws_++, random_)); });
    auto time = times.candidate.end() - effort_.pairs;
    for ([[maybe_unused]] auto iteration : state) state.SetIterationTime(*time++);
    state.counters["speedup"] = std::exp(times.log_ratios.back());
    state.counters["baseline_s"] = times.baseline_launches.back();
  }

  void fill(Record& record) const {
    for (const TimedShape& shape : timed_.shapes)
      if (shape.times.log_ratios.size() != static_cast<std::size_t>(effort_.launches))
        throw std::runtime_error("bench: not every planned launch was run. do: leave out flags that choose benchmarks");
    record.noise = noise_.read();
    fill_figures(timed_, record);
    record.effort = plan_.settings.effort;
    record.cache = timed_.shapes.front().in_batches() ? "cold" : plan_.settings.cache;
    record.launches = effort_.launches;
    record.pairs = effort_.pairs;
    if (setting_.candidate.transfers) {
      record.device.value().copy_gbps = timed_.peaks.bandwidth * 1e-9;
      record.device.value().gflops = timed_.peaks.flops * 1e-9;
    }
    record.baseline = baseline_;
    record.threads = {threads_of(setting_.processors), baseline_ == kBuiltIn ? 1 : threads_of(setting_.processors)};
    record.seed = seed_text(seed_);
  }

 private:
  MachinePeaks measure_peaks() const {
    if (!setting_.candidate.transfers) return load_peaks(plan_.settings.machine);
    const Turn turn = setting_.turns.alone();
    return measure_device(setting_.candidate);
  }

  std::optional<trial::FailedLaunch> prepare(const PreparedCase& layout) const {
    const Turn turn = setting_.turns.shared();
    return prepare_launches(setting_.candidate, task_, std::span(&layout, 1));
  }

  /// Lets go of the inputs of the shape before, so that one shape's are in memory.
  void begin(std::size_t index) {
    drawn_ = index;
    draws_ = 0;
    draw_.emplace(task_, shapes_[index], index, seed_, effort_.pairs, plan_.settings.profile, all_of(setting_.processors));
    const PreparedCase& layout = draw_->layout();
    timed_.shapes[index].work = work_of(task_.model, layout);
    if (const auto failed = prepare(layout)) throw CandidateFailed{failed->failure};
    if (index > 0 && baseline_ == kBuiltIn) return;  // all shapes have one baseline
    if (const auto program = trial::framework_program(plan_, task_, layout, threads_of(setting_.processors), code_)) {
      try {
        start_framework(setting_, *program, layout);
        baseline_ = plan_.settings.framework->name + (setting_.is_witness ? " cuda" : "");
      } catch (const trial::Unsuited& reason) {
        if (index > 0) throw;
        fmt::print("the baseline is {}: {}\n", kBuiltIn, record::harmless(reason.what()));
      }
    }
  }

  static constexpr const char* kBuiltIn = "eigen";

  const Plan& plan_;
  const std::optional<DeviceCode>& code_;
  std::string baseline_ = kBuiltIn;  ///< its name, for the record
  spec::Task task_;
  Effort effort_;
  Seed seed_;
  RandomStream random_;
  std::optional<Seat> seat_;
  PairedSetting setting_;
  std::optional<DeviceMonitor> monitor_;
  TimedTask timed_;
  NoiseMeter noise_;
  std::vector<TimingShape> shapes_;
  std::optional<TimedDraw> draw_;  ///< of the shape `drawn_`
  std::optional<std::size_t> drawn_;
  std::size_t draws_ = 0;  ///< launches of that shape, those that a kill ended among them
  SecondAttempt attempts_;
};

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
        bench.launch(shape, state);
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
    Bench bench(plan, candidate, library.device_code());
    record.tier = bench.tier();
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

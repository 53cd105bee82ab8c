// SPDX-License-Identifier: Apache-2.0
// Candidate and baseline in two boxes, called in pairs on inputs that neither process has seen, every output checked.
// One Google Benchmark repetition is one launch of both; an iteration is one pair; its manual time is the candidate's.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <sched.h>

#include <cmath>
#include <exception>

#include "assay/judge/machine.h"
#include "assay/judge/profile.h"
#include "assay/judge/record.h"
#include "assay/judge/stages.h"
#include "assay/judge/timing.h"
#include "captured_output.h"
#include "compilation.h"
#include "program_arguments.h"
#include "trial.h"

namespace assay {
namespace {

constexpr std::chrono::milliseconds kCallLimit{20000};

struct Effort {
  int launches, pairs, warmups;
};

Effort effort_named(const std::string& name) {
  if (name == "quick") return {4, 5, 2};
  if (name == "standard") return {10, 20, 3};
  if (name == "publish") return {20, 30, 3};
  throw std::runtime_error(fmt::format("bench: unknown effort '{}'. known: quick standard publish", name));
}

/// A candidate's failure inside the bench stage.
struct CandidateFailed {
  Failure failure;
};

class Bench {
 public:
  Bench(const Plan& plan, const Candidate& candidate)
      : plan_(plan), candidate_(candidate), effort_(effort_named(plan.effort)), processors_(processors()),
        bounds_(load_cases(plan.cases).timing_bounds), seed_(fresh_seed()), random_(seed_, "order"), peaks_(load_peaks(plan.machine)) {
    pin_judge();
    draw_inputs_for_pairs();
  }

  const Effort& effort() const { return effort_; }

  /// One launch: fresh processes, warm-up pairs, then one pair for each iteration of `state`.
  void launch(benchmark::State& state) {
    candidate_box_.reset();
    baseline_box_.reset();
    candidate_box_ = open(candidate_program(plan_, candidate_));
    if (candidate_box_->failure()) throw CandidateFailed{*candidate_box_->failure()};
    baseline_box_ = open(baseline_program(plan_));
    if (baseline_box_->failure()) throw std::runtime_error("baseline: " + baseline_box_->failure()->detail);
    std::size_t draw = 0;
    for (int i = 0; i < effort_.warmups; ++i) time_pair(prepared_[draw++]);
    overheads_.clear();
    std::vector<PairTime> pairs;
    for ([[maybe_unused]] auto iteration : state) {
      pairs.push_back(time_pair(prepared_.at(draw++)));
      state.SetIterationTime(pairs.back().candidate);
    }
    overhead_ = median(overheads_);
    for (PairTime& pair : pairs) {
      pair.candidate = std::max(1e-9, pair.candidate - overhead_);
      pair.baseline = std::max(1e-9, pair.baseline - overhead_);
      candidate_times_.push_back(pair.candidate);
      baseline_times_.push_back(pair.baseline);
    }
    log_ratios_.push_back(log_ratio(pairs));
    state.counters["speedup"] = std::exp(log_ratios_.back());
    state.counters["baseline_s"] = pairs.back().baseline;
  }

  void fill(Record& record) const {
    const double seconds = median(candidate_times_);
    const Speedup speedup = speedup_over(log_ratios_);
    const double bytes = bytes_moved(), flops = prepared_.front().flops;
    const double roofline = std::max(flops / peaks_.flops, bytes / peaks_.bandwidth);
    record["tier"] = to_string(candidate_box_->tier());
    const auto [verdict, reason] = judge_timing({seconds, overhead_, least_seconds(), speedup});
    set_verdict(record, verdict, reason);
    record["effort"] = plan_.effort;
    record["launches"] = log_ratios_.size();
    record["pairs"] = effort_.pairs;
    record["time_ns"] = std::round(seconds * 1e9);
    record["baseline_ns"] = std::round(median(baseline_times_) * 1e9);
    record["speedup"] = {{"estimate", finite_or_null(speedup.estimate)}, {"low", finite_or_null(speedup.low)}, {"high", finite_or_null(speedup.high)}};
    record["gbps"] = finite_or_null(bytes / seconds * 1e-9);
    record["gflops"] = finite_or_null(flops / seconds * 1e-9);
    record["efficiency"] = finite_or_null(roofline / seconds);
    record["baseline"] = "eigen";
    record["seed"] = seed_text(seed_);
  }

 private:
  void pin_judge() const {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(processors_.judge, &set);
    sched_setaffinity(0, sizeof set, &set);
  }

  /// One set for each pair of a launch: a process sees each once, and the next launch's process has seen none.
  void draw_inputs_for_pairs() {
    const Task task = load_task(plan_.task_yaml);
    const auto timing = task.timing.find("cpu");
    if (timing == task.timing.end()) throw std::runtime_error(fmt::format("bench: task {} has no timing: cpu", task.name));
    for (int i = 0; i < effort_.warmups + effort_.pairs; ++i) {
      auto inputs = draw_inputs(task, {}, timing->second, seed_, fmt::format("pair {}", i));
      prepared_.push_back(prepare_case(task, fmt::format("pair {}", i), timing->second, std::move(inputs), {}));
      for (std::size_t o = 0; o < prepared_.back().outputs.size(); ++o) {
        prepared_.back().outputs[o].max_bound = bounds_.at(o).max;
        prepared_.back().outputs[o].rms_bound = bounds_.at(o).rms;
      }
    }
  }

  std::unique_ptr<Box> open(BoxProgram program) const {
    program.cpus = processors_.boxes;
    program.threads = static_cast<int>(processors_.boxes.size());
    program.timing = true;
    return open_box(program, prepared_);
  }

  PairTime time_pair(const PreparedCase& inputs) {
    const bool candidate_first = random_.below(2) == 0;
    PairTime pair{};
    if (candidate_first) pair.candidate = time_call(*candidate_box_, inputs, true);
    pair.baseline = time_call(*baseline_box_, inputs, false);
    if (!candidate_first) pair.candidate = time_call(*candidate_box_, inputs, true);
    return pair;
  }

  double time_call(Box& box, const PreparedCase& inputs, bool is_candidate) {
    load_case(box, inputs);
    box.poison(static_cast<std::uint32_t>(random_.bits()));
    seconds_of(box, wire::CallKind::empty, is_candidate);  // maps the buffers, untimed
    overheads_.push_back(seconds_of(box, wire::CallKind::empty, is_candidate));
    const double seconds = seconds_of(box, wire::CallKind::kernel, is_candidate);
    check(box, inputs, is_candidate);
    return seconds;
  }

  static double seconds_of(Box& box, wire::CallKind kind, bool is_candidate) {
    const auto time = box.call(kind, kCallLimit);
    if (time) return std::chrono::duration<double>(*time).count();
    const Failure failure = box.failure().value_or(Failure{Verdict::harness_error, "the box ended without a reason"});
    if (is_candidate) throw CandidateFailed{failure};
    throw std::runtime_error("baseline: " + failure.detail);
  }

  void check(const Box& box, const PreparedCase& inputs, bool is_candidate) const {
    const auto damage = box.damaged_fence();
    const Comparison comparison = compare_by(plan_.profile, inputs, copy_outputs(box, inputs));
    if (!damage && comparison.accepted) return;
    const std::string detail = damage ? damage->detail : comparison.detail;
    if (!is_candidate) throw std::runtime_error("baseline: wrong result: " + detail);
    throw CandidateFailed{damage ? *damage : Failure{Verdict::wrong_result, "timed call: " + detail}};
  }

  double output_bytes() const {
    double bytes = 0;
    for (const ExpectedTensor& output : prepared_.front().outputs) bytes += static_cast<double>(output.bytes());
    return bytes;
  }
  double bytes_moved() const {
    double bytes = output_bytes();
    for (const Bytes& input : prepared_.front().inputs) bytes += static_cast<double>(input.size());
    return bytes;
  }
  /// Writing the outputs at four times the measured copy rate: nothing honest is faster, caches included.
  double least_seconds() const { return output_bytes() / (4 * peaks_.bandwidth); }

  const Plan& plan_;
  const Candidate& candidate_;
  Effort effort_;
  Processors processors_;
  std::vector<ErrorBounds> bounds_;
  std::uint64_t seed_;
  RandomStream random_;
  MachinePeaks peaks_;
  std::vector<PreparedCase> prepared_;
  std::unique_ptr<Box> candidate_box_, baseline_box_;
  std::vector<double> overheads_;  ///< empty calls of the present launch
  double overhead_ = 0;            ///< their median
  std::vector<double> candidate_times_, baseline_times_, log_ratios_;
};

/// Runs the launches under Google Benchmark; the first failure of the candidate ends them.
void run_launches(Bench& bench, const std::string& name, const std::vector<std::string>& flags) {
  std::optional<Failure> failed;
  std::exception_ptr broken;
  ProgramArguments arguments("assay bench", flags);
  benchmark::Initialize(&arguments.count, arguments.values());
  if (benchmark::ReportUnrecognizedArguments(arguments.count, arguments.values()))
    throw std::runtime_error("assay bench: unknown flag. do: see --help and Google Benchmark's flags");
  benchmark::RegisterBenchmark(name.c_str(), [&](benchmark::State& state) {
    // Nothing may leave through Google Benchmark's frames; a launch after a failure has nothing to time.
    if (failed || broken) return state.SkipWithError("an earlier launch failed");
    try {
      bench.launch(state);
    } catch (const CandidateFailed& end) {
      failed = end.failure;
      state.SkipWithError(harmless(end.failure.detail).c_str());
    } catch (...) {
      broken = std::current_exception();
      state.SkipWithError("the harness failed");
    }
  })->UseManualTime()->Iterations(bench.effort().pairs)->Repetitions(bench.effort().launches)->Unit(benchmark::kMicrosecond);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  if (broken) std::rethrow_exception(broken);
  if (failed) throw CandidateFailed{*failed};
}

}  // namespace

int bench_candidate(const Plan& plan, const Candidate& candidate, const std::vector<std::string>& flags) {
  Record record = make_record(plan, candidate, "bench");
  CapturedOutput capture;
  try {
    const PassedLibrary library(candidate);
    Bench bench(plan, candidate);
    try {
      run_launches(bench, fmt::format("{}.{}.{}.{:03}", candidate.run, plan.task, plan.backend, candidate.sample), flags);
      bench.fill(record);
    } catch (const CandidateFailed& failed) {
      set_verdict(record, failed.failure.verdict, failed.failure.detail);
    }
    library.require_unchanged();
  } catch (const std::exception& error) {
    set_verdict(record, Verdict::harness_error, error.what());
  }
  print_result(record, capture.take());
  return exit_code(record);
}

}  // namespace assay

// SPDX-License-Identifier: Apache-2.0
// A pair is the benchmark's process with the candidate in it and the same with the reference, one after the other, each in a folder and a
// sandbox of its own. It is the unit of replication, as a launch is elsewhere. What a process costs before its work begins, which a third
// program shows that runs no candidate's code, is taken off both.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "assay/cases/random.h"
#include "assay/compile/compilation.h"
#include "assay/compile/scratch.h"
#include "assay/problem/problem_folder.h"
#include "assay/program/benchmark.h"
#include "assay/record/output.h"
#include "assay/record/printable.h"
#include "assay/sandbox/processors.h"
#include "assay/timing/machine_state.h"
#include "assay/timing/paired_timing.h"
#include "program_stage.h"
#include "stage_record.h"

namespace assay::stages {
namespace {

using cases::fresh_seed, cases::RandomStream, cases::Seed, cases::seed_text;
using plan::Candidate, plan::Plan;
using problem::Problem;
using program::Call, program::Ended, program::TimedReference;
using record::Record, record::set_verdict, record::Verdict;
using timing::CandidateFailed, timing::judge_timing, timing::LogRatios, timing::median, timing::NoiseMeter, timing::PairTime,
    timing::spread, timing::TimingFacts;

/// Processes are dear: there are fewer pairs than launches elsewhere, and no more than the time allows. Each fold needs one.
constexpr std::size_t kFewestPairs = 5;
std::size_t pairs_of(const std::string& effort) {
  if (effort == "quick") return 10;
  if (effort == "standard") return 30;
  if (effort == "publish") return 100;
  throw std::runtime_error(fmt::format("bench: unknown effort '{}'. known: quick standard publish", effort));
}

class ProgramBench {
 public:
  ProgramBench(const Plan& plan, const Candidate& candidate)
      : plan_(plan),
        problem_(problem::read_problem(plan.task.task_yaml.file)),
        reference_(program::load_benchmark(plan)),
        candidate_(candidate.library()),
        scratch_(candidate),
        seed_(fresh_seed()),
        random_(seed_, {"order"}),
        cpus_(sandbox::processors()),
        call_(program::benchmark_call(problem_, cpus_.boxes)),
        noise_(cpus_.boxes) {
    sandbox::pin_to(cpus_.judge);
  }

  void run() {
    const auto begin = std::chrono::steady_clock::now();
    time_pair(random_.below(2) == 0);  // a warm-up: files are in memory, the device is awake
    const std::chrono::duration<double> each = std::chrono::steady_clock::now() - begin;
    // Half of the time that CTest gives the stage (cmake/KernelTests.cmake).
    const double budget = 450 + 7.5 * call_.limit.count();
    const auto affordable = static_cast<std::size_t>(budget / each.count());
    const std::size_t pairs = std::max(kFewestPairs, std::min(pairs_of(plan_.settings.effort), affordable));
    // Of two pairs one of either order: what the first does to the second cancels out.
    bool candidate_first = random_.below(2) == 0;
    for (std::size_t pair = 0; pair < pairs; ++pair) {
      candidate_first = pair % 2 == 0 ? random_.below(2) == 0 : !candidate_first;
      if (!problem_.timing.is_region()) starts_.push_back(run_one(reference_.start, true).seconds);
      pairs_.push_back(time_pair(candidate_first));
    }
  }

  void fill(Record& record) const {
    const std::vector<PairTime> net = net_pairs();
    std::vector<double> of_candidate, of_reference;
    LogRatios ratios;
    for (const PairTime& pair : net) {
      of_candidate.push_back(pair.candidate);
      of_reference.push_back(pair.baseline);
      ratios.push_back(timing::log_ratio({pair}));
    }
    record.noise = noise_.read();
    record.noise->baseline_drift = spread(of_reference);
    const TimingFacts facts{.candidate_seconds = median(of_candidate),
                            .overhead_seconds = overhead(),
                            .least_seconds = 0,
                            .baseline_drift = spread(of_reference),
                            .candidate_drift = spread(of_candidate),
                            .steal = record.noise->steal,
                            .speedup = timing::speedup_over(ratios)};
    const timing::TimingVerdict judged = judge_timing(facts);
    set_verdict(record, judged.verdict, judged.reason);
    record.doubt = judged.doubt;
    record.effort = plan_.settings.effort;
    record.launches = static_cast<int>(net.size());
    record.pairs = 1;
    record.time_ns = std::round(facts.candidate_seconds * 1e9);
    record.baseline_ns = std::round(median(of_reference) * 1e9);
    record.overhead_ns = std::round(facts.overhead_seconds * 1e9);
    record.speedup = timing::speedup_over_shapes({ratios});
    record.folds = timing::folds_over_shapes({ratios});
    record.baseline = "reference";
    record.threads = {call_.threads, call_.threads};
    record.seed = seed_text(seed_);
  }

  record::Tier tier() const { return tier_; }
  const std::string& output() const { return output_; }

  /// The pairs, a line for each.
  std::string table() const {
    std::string text;
    for (const PairTime& pair : pairs_) text += fmt::format("{:10.6f} s, the reference {:10.6f} s\n", pair.candidate, pair.baseline);
    return text;
  }

 private:
  PairTime time_pair(bool candidate_first) {
    PairTime pair{};
    for (const bool of_candidate : {candidate_first, !candidate_first})
      (of_candidate ? pair.candidate : pair.baseline) = seconds_of(of_candidate);
    return pair;
  }

  double seconds_of(bool of_candidate) {
    const Ended ended = run_one(of_candidate ? candidate_ : reference_.program, !of_candidate);
    if (of_candidate) output_ = ended.output;
    const auto seconds = program::timed_seconds(problem_, ended);
    if (!seconds) fail(!of_candidate, Verdict::policy, "it enters no NVTX range that its timing_mode names");
    return *seconds;
  }

  Ended run_one(const std::filesystem::path& program, bool ours) {
    const std::filesystem::path work = scratch_.path() / "run";
    Ended ended = program::run_program(plan_, problem_, program, call_, work);
    compile::remove_tree(work);  // before others run: the kernel forgets what it has not written yet
    tier_ = ended.tier;
    if (ended.verdict == Verdict::harness_error) throw std::runtime_error(ended.detail);
    if (ended.verdict != Verdict::pass) {
      if (!ours) output_ = ended.output;
      fail(ours, ended.verdict, ended.detail);
    }
    return ended;
  }

  [[noreturn]] void fail(bool ours, Verdict verdict, const std::string& detail) const {
    if (!ours) throw CandidateFailed{{verdict, detail}};
    throw std::runtime_error(fmt::format("the problem's reference fails in its own benchmark: {}: {}", record::name(verdict), detail));
  }

  double overhead() const { return starts_.empty() ? 0 : median(starts_); }

  std::vector<PairTime> net_pairs() const {
    constexpr double kLeast = 1e-9;
    std::vector<PairTime> net = pairs_;
    for (PairTime& pair : net) pair = {std::max(kLeast, pair.candidate - overhead()), std::max(kLeast, pair.baseline - overhead())};
    return net;
  }

  const Plan& plan_;
  Problem problem_;
  TimedReference reference_;
  std::filesystem::path candidate_;
  compile::Scratch scratch_;
  Seed seed_;
  RandomStream random_;
  sandbox::Processors cpus_;
  Call call_;
  NoiseMeter noise_;
  std::vector<double> starts_;
  std::vector<PairTime> pairs_;  ///< as they were measured
  std::string output_;           ///< of the candidate's last process
  record::Tier tier_ = record::Tier::none;
};

}  // namespace

void prepare_program_timing(const Plan& plan) {
  program::prepare_benchmark(plan);
  fmt::print("{}: the reference passes its benchmark\n", plan.task.name);
}

int bench_program(const Plan& plan, const Candidate& candidate) {
  Record record = begin_record(plan, candidate, record::Stage::bench);
  std::string text;
  try {
    const compile::PassedLibrary linked(candidate);
    ProgramBench bench(plan, candidate);
    try {
      bench.run();
      bench.fill(record);
    } catch (const CandidateFailed& failed) {
      set_verdict(record, failed.failure.verdict, failed.failure.detail);
    }
    record.tier = bench.tier();
    text = bench.table() + record::cut_to(record::harmless(bench.output()), 2 * program::kOutputKept);
    linked.require_unchanged();
  } catch (const std::exception& error) {
    set_verdict(record, Verdict::harness_error, error.what());
  }
  return conclude(record, text, candidate);
}

}  // namespace assay::stages

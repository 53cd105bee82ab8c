// SPDX-License-Identifier: Apache-2.0
// The candidate against the baseline under Google Benchmark. Each timing shape is one benchmark, a repetition is one launch
// (paired_timing.h), an iteration is one pair; its manual time is the candidate's.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstdlib>
#include <exception>
#include <utility>

#include "assay/compile/compilation.h"
#include "assay/record/output.h"
#include "assay/stages/stages.h"
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

using cases::Bytes, cases::ExpectedTensor, cases::fresh_seed, cases::load_cases, cases::PreparedCase, cases::RandomStream, cases::Seed,
    cases::seed_text, cases::TimedDraw, cases::TimingShape;
using compile::PassedLibrary;
using record::Record, record::set_verdict, record::Verdict;
using timing::all_of, timing::CandidateFailed, timing::Clocks, timing::DeviceMonitor, timing::DeviceTurns, timing::holm_lower_bounds,
    timing::judge_timing, timing::Effort, timing::effort_of, timing::folds_over_shapes, timing::least_seconds, timing::load_peaks,
    timing::LogRatios, timing::MachinePeaks, timing::measure_device, timing::median, timing::NoiseMeter, timing::PairedSetting,
    timing::Seat, timing::ShapeTimes, timing::speedup_over, timing::speedup_over_shapes, timing::spread, timing::threads_of,
    timing::time_launch, timing::TimingFacts, timing::TimingVerdict, timing::Turn;
using trial::baseline_program, plan::Candidate, trial::candidate_program, plan::DeviceCode, trial::Failure, plan::Plan,
    trial::prepare_launches;

bool is_cold(const std::string& cache) {
  if (cache == "warm" || cache == "cold") return cache == "cold";
  throw std::runtime_error(fmt::format("bench: unknown state of the caches '{}'. known: warm cold", cache));
}

/// A model that is one product of real matrices and nothing else: its cost in operations bounds its time.
bool is_one_product(const spec::Graph& model) {
  const auto is_plain = [](const spec::TensorSpec& spec) {
    return spec.type == spec::ElementType::f32 || spec.type == spec::ElementType::f64;
  };
  return model.nodes.size() == 1 && model.nodes.front().domain.empty() &&
         (model.nodes.front().op_type == "MatMul" || model.nodes.front().op_type == "Gemm") && std::ranges::all_of(model.inputs, is_plain);
}

/// A model that cannot be had without all of its inputs. Where several operators meet, one may select from another's results.
bool reads_all_inputs(const spec::Graph& model) {
  if (model.nodes.size() != 1) return false;
  const spec::Node& node = model.nodes.front();
  const oracle::Operator* used = oracle::find_operator(node.op_type, node.domain);
  return used != nullptr && used->info.reads_all && std::ranges::all_of(model.inputs, [&](const spec::TensorSpec& input) {
           return std::ranges::count(node.inputs, input.name) == 1;  // x - x is 0
         });
}

/// Whether `output`, which lies over `input`, is that but for some elements: then neither is moved as a whole.
bool is_scattered(const spec::Graph& model, const std::string& input, const std::string& output) {
  return std::ranges::any_of(model.nodes, [&](const spec::Node& node) {
    return node.op_type.starts_with("Scatter") && node.inputs.front() == input && node.outputs.front() == output;
  });
}

std::string spell(const std::map<std::string, std::int64_t>& dims) {
  std::vector<std::string> words;
  for (const auto& [name, extent] : dims) words.push_back(fmt::format("{}={}", name, extent));
  return fmt::format("{}", fmt::join(words, ","));
}

double geometric_mean(const std::vector<double>& values) {
  double logs = 0;
  for (const double value : values) logs += std::log(value);
  return std::exp(logs / static_cast<double>(values.size()));
}

/// Where CTest hands devices out, benches run side by side: the judge of each has its own processors, those of its seat.
std::optional<Seat> take_seat(const Plan& plan, const std::optional<DeviceCode>& code) {
  if (!code || std::getenv("CTEST_RESOURCE_GROUP_COUNT") == nullptr) return {};
  return std::optional<Seat>(std::in_place, plan.settings.machine, sandbox::shares_of(sandbox::processors()));
}

PairedSetting candidate_against_baseline(const Plan& plan, const Candidate& candidate, const std::optional<DeviceCode>& code,
                                         const std::optional<Seat>& seat) {
  const sandbox::Processors all = sandbox::processors(), cpus = seat ? sandbox::share_of(all, seat->number()) : all;
  const auto budget = std::max(std::chrono::seconds(450), 45 * plan.task.time_limit);  // half of the time that CTest gives the stage
  const trial::BoxProgram baseline = baseline_program(plan);
  PairedSetting setting{candidate_program(plan, candidate, code, threads_of(cpus), budget), baseline,
                        std::make_shared<timing::IdleBox>(baseline), cpus, is_cold(plan.settings.cache)};
  if (code) setting.turns = DeviceTurns(plan.settings.machine, code->device);
  return setting;
}

/// One timing shape: what moves, what it cost.
struct TimedShape {
  TimingShape shape;
  double bytes = 0, input_bytes = 0, output_bytes = 0, flops = 0;
  ShapeTimes times;

  double seconds() const { return median(times.candidate); }
  double baseline_seconds() const { return median(times.baseline); }
  bool in_batches() const { return !times.clocks.empty() && times.clocks.front().calls > 0; }
  /// Of a call, over launches.
  double of_clocks(double Clocks::*time) const {
    std::vector<double> values;
    for (const Clocks& clocks : times.clocks) values.push_back(clocks.calls > 0 ? clocks.*time / static_cast<double>(clocks.calls) : 0);
    return median(std::move(values));
  }
};

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
        peaks_(measure_peaks()),
        noise_(setting_.processors.boxes) {
    for (TimingShape& shape : load_cases(plan.task.timing()).timing) shapes_.push_back({std::move(shape), 0, 0, 0, {}});
    if (shapes_.empty()) throw std::runtime_error(fmt::format("bench: task {} has no timing: {}", task_.name, plan.settings.shapes));
    if (code && setting_.candidate.transfers) setting_.monitor = &monitor_.emplace(code->device);
    sandbox::pin_to(setting_.processors.judge);
  }

  record::Tier tier() const { return sandbox::tier_of(setting_.candidate.layers); }
  std::size_t shapes() const { return shapes_.size(); }
  const Effort& effort() const { return effort_; }
  std::string shape_name(std::size_t index) const { return spell(shapes_[index].shape.dims); }

  /// One launch on a shape, a pair for each iteration of `state`.
  void launch(std::size_t index, benchmark::State& state) {
    TimedShape& shape = shapes_[index];
    if (index != drawn_) unless_killed([&] { begin(index); });
    unless_killed([&] { shape.times.add(time_launch(setting_, *draw_, draws_++, random_)); });
    auto time = shape.times.candidate.end() - effort_.pairs;
    for ([[maybe_unused]] auto iteration : state) state.SetIterationTime(*time++);
    state.counters["speedup"] = std::exp(shape.times.log_ratios.back());
    state.counters["baseline_s"] = shape.times.baseline_launches.back();
  }

  void fill(Record& record) const {
    for (const TimedShape& shape : shapes_)
      if (shape.times.log_ratios.size() != static_cast<std::size_t>(effort_.launches))
        throw std::runtime_error("bench: not every planned launch was run. do: leave out flags that choose benchmarks");
    record.noise = noise_.read();
    record.noise->baseline_drift = baseline_drift();
    const auto [verdict, reason, doubt] = verdict_on(*record.noise);
    set_verdict(record, verdict, reason);
    record.doubt = doubt;
    record.effort = plan_.settings.effort;
    record.cache = in_batches() ? "cold" : plan_.settings.cache;
    record.launches = effort_.launches;
    record.pairs = effort_.pairs;
    in_batches() ? add_clocks(record) : add_device_time(record);
    record.time_ns = std::round(mean(&TimedShape::seconds) * 1e9);
    record.baseline_ns = std::round(mean(&TimedShape::baseline_seconds) * 1e9);
    record.overhead_ns = std::round(overhead() * 1e9);
    record.speedup = speedup_over_shapes(log_ratios());
    record.folds = folds_over_shapes(log_ratios());
    record.shapes = describe_shapes();
    record.gbps = mean([](const TimedShape& s) { return s.bytes / s.seconds(); }) * 1e-9;
    record.gflops = mean([](const TimedShape& s) { return s.flops / s.seconds(); }) * 1e-9;
    record.efficiency =
        mean([this](const TimedShape& s) { return std::max(s.flops / peaks_.flops, s.bytes / peaks_.bandwidth) / s.seconds(); });
    if (setting_.candidate.transfers) {
      record.device.value().copy_gbps = peaks_.bandwidth * 1e-9;
      record.device.value().gflops = peaks_.flops * 1e-9;
    }
    record.baseline = baseline_;
    record.threads = {threads_of(setting_.processors), baseline_ == kBuiltIn ? 1 : threads_of(setting_.processors)};
    record.seed = seed_text(seed_);
  }

 private:
  /// A box that somebody has killed, or the kernel for want of memory, costs a candidate nothing: `work` is done again, once in
  /// a stage, so that no candidate chooses among its launches.
  template <class Work>
  void unless_killed(Work work) {
    try {
      return work();
    } catch (const CandidateFailed& failed) {
      if (!failed.failure.killed || std::exchange(killed_, true)) throw;
    }
    work();
  }

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
    TimedShape& shape = shapes_[index];
    drawn_ = index;
    draws_ = 0;
    draw_.emplace(task_, shape.shape, index, seed_, effort_.pairs, plan_.settings.profile, all_of(setting_.processors));
    const PreparedCase& layout = draw_->layout();
    if (const auto failed = prepare(layout)) throw CandidateFailed{failed->failure};
    setting_.kept.reset();
    if (auto torch = trial::torch_program(plan_, task_, layout, threads_of(setting_.processors), code_)) {
      setting_.baseline = std::move(*torch);
      const bool on_gpu = !setting_.baseline.devices.empty();
      setting_.is_witness = on_gpu;
      baseline_ = plan_.settings.torch->name + (on_gpu ? " cuda" : "");
    }
    shape.flops = layout.flops;
    count_bytes(shape, layout);
  }

  /// What lies in place may be right already: an output there is no bound on the time.
  void count_bytes(TimedShape& shape, const PreparedCase& layout) const {
    shape.bytes = shape.input_bytes = shape.output_bytes = 0;
    for (const Bytes& input : layout.inputs) shape.input_bytes += static_cast<double>(input.size());
    shape.bytes = shape.input_bytes;
    for (std::size_t i = 0; i < layout.outputs.size(); ++i) {
      const auto& over = layout.outputs[i].in_place;
      const double bytes = static_cast<double>(layout.outputs[i].bytes());
      if (!over) shape.output_bytes += bytes;
      const bool in_part = over && is_scattered(task_.model, task_.model.inputs[*over].name, task_.model.outputs[i].name);
      shape.bytes += in_part ? -bytes : bytes;
    }
  }

  /// Of the first shape that does not pass.
  TimingVerdict verdict_on(const record::Noise& noise) const {
    const bool product = is_one_product(task_.model) && peaks_.native, reads = reads_all_inputs(task_.model) && peaks_.native;
    for (const TimedShape& shape : shapes_) {
      TimingFacts facts{.candidate_seconds = shape.seconds(),
                        .overhead_seconds = median(shape.times.overheads),
                        .least_seconds = 0,
                        .baseline_drift = spread(shape.times.baseline_launches),
                        .candidate_drift = spread(shape.times.candidate_launches),
                        .steal = noise.steal,
                        .pressure = noise.pressure.value_or(0),
                        .speedup = speedup_over(shape.times.log_ratios)};
      if (shape.in_batches()) {
        facts.overhead_seconds = 0;  // nothing is taken off
        facts.judge_seconds = shape.of_clocks(&Clocks::judge);
        facts.device_seconds = shape.of_clocks(&Clocks::device);
        facts.unsure_seconds = shape.of_clocks(&Clocks::unsure);
      }
      facts.least_seconds = least_seconds({shape.output_bytes, reads ? shape.input_bytes : 0, product ? shape.flops : 0}, peaks_);
      TimingVerdict judged = judge_timing(facts);
      if (judged.verdict == Verdict::pass) continue;
      if (shapes_.size() > 1) judged.reason = fmt::format("{}: {}", spell(shape.shape.dims), judged.reason);
      return judged;
    }
    return {Verdict::pass, ""};
  }

  /// The device's own clock beside the judge's, which decides; a PASS whose clocks are far apart says so.
  void add_device_time(Record& record) const {
    constexpr double kMostApart = 1.5, kLaunches = 200e-6;
    for (const TimedShape& shape : shapes_)
      if (!(median(shape.times.device) > 0)) return;
    const auto on_device = [](const TimedShape& shape) { return median(shape.times.device); };
    record.device_ns = std::round(mean(on_device) * 1e9);
    for (const TimedShape& shape : shapes_) {
      const double device = on_device(shape), judge = shape.seconds();
      const bool apart = device > kMostApart * judge || judge > kMostApart * device + kLaunches;
      if (apart && record.verdict == Verdict::pass)
        record.detail = fmt::format("{}: a call takes {:.3g} us, by the device's own clock {:.3g} us", spell(shape.shape.dims), judge * 1e6,
                                    device * 1e6);
    }
  }

  bool in_batches() const { return shapes_.front().in_batches(); }

  /// Of batches: what both clocks say, and what the device was like.
  void add_clocks(Record& record) const {
    record.device_ns = std::round(mean(&TimedShape::seconds) * 1e9);
    record.judge_ns = std::round(mean([](const TimedShape& shape) { return std::max(1e-9, shape.of_clocks(&Clocks::judge)); }) * 1e9);
    for (const TimedShape& shape : shapes_) {
      if (shape.times.states.empty()) continue;
      if (!record.device_before) record.device_before = shape.times.states.front();
      record.device_after = shape.times.states.back();
    }
  }

  std::vector<LogRatios> log_ratios() const {
    std::vector<LogRatios> all;
    for (const TimedShape& shape : shapes_) all.push_back(shape.times.log_ratios);
    return all;
  }

  std::vector<record::ShapeTiming> describe_shapes() const {
    const std::vector<double> bounds = holm_lower_bounds(log_ratios());
    std::vector<record::ShapeTiming> described;
    for (std::size_t i = 0; i < shapes_.size(); ++i) {
      record::Speedup speedup = speedup_over(shapes_[i].times.log_ratios);
      speedup.at_least = bounds[i];
      described.push_back(
          {shapes_[i].shape.dims, std::round(shapes_[i].seconds() * 1e9), std::round(shapes_[i].baseline_seconds() * 1e9), speedup});
    }
    return described;
  }

  /// Geometric, over shapes, as the speedup is.
  template <class Value>
  double mean(Value value) const {
    std::vector<double> values;
    for (const TimedShape& shape : shapes_) values.push_back(std::invoke(value, shape));
    return geometric_mean(values);
  }

  double overhead() const {
    std::vector<double> all;
    for (const TimedShape& shape : shapes_) all.insert(all.end(), shape.times.overheads.begin(), shape.times.overheads.end());
    return median(std::move(all));
  }

  double baseline_drift() const {
    double worst = 1;
    for (const TimedShape& shape : shapes_) worst = std::max(worst, spread(shape.times.baseline_launches));
    return worst;
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
  MachinePeaks peaks_;
  NoiseMeter noise_;
  std::vector<TimedShape> shapes_;
  std::optional<TimedDraw> draw_;  ///< of the shape `drawn_`
  std::optional<std::size_t> drawn_;
  std::size_t draws_ = 0;  ///< launches of that shape, those that a kill ended among them
  bool killed_ = false;    ///< a box, once
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

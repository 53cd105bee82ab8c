// SPDX-License-Identifier: Apache-2.0
#include "assay/stages/bench_figures.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "assay/oracle/evaluate.h"
#include "assay/oracle/operator.h"
#include "assay/timing/timing.h"

namespace assay::stages {
namespace {

using cases::Bytes, cases::PreparedCase;
using record::Record, record::set_verdict, record::Verdict;
using timing::Clocks, timing::LogRatios, timing::median, timing::spread, timing::TimingFacts, timing::TimingVerdict;

/// Whether `output`, which lies over `input`, is that but for some elements.
bool is_scattered(const spec::Graph& model, const std::string& input, const std::string& output) {
  return std::ranges::any_of(model.nodes, [&](const spec::Node& node) {
    const std::string* scattered = oracle::scattered_input(model, node);
    return scattered != nullptr && *scattered == input && node.outputs.front() == output;
  });
}

double seconds(const TimedShape& shape) { return median(shape.times.candidate); }
double baseline_seconds(const TimedShape& shape) { return median(shape.times.baseline); }
double device_seconds(const TimedShape& shape) { return median(shape.times.device); }

/// Of a call by the judge's clock: the median of all launches.
double judge_seconds(const TimedShape& shape) {
  std::vector<double> values;
  for (const Clocks& clocks : shape.times.clocks) values.push_back(clocks.judge / static_cast<double>(clocks.calls));
  return std::max(1e-9, median(std::move(values)));
}

/// Geometric, over shapes.
template <class Value>
double mean(const std::vector<TimedShape>& shapes, Value value) {
  double logs = 0;
  for (const TimedShape& shape : shapes) logs += std::log(value(shape));
  return std::exp(logs / static_cast<double>(shapes.size()));
}

std::vector<LogRatios> log_ratios(const std::vector<TimedShape>& shapes) {
  std::vector<LogRatios> all;
  for (const TimedShape& shape : shapes) all.push_back(shape.times.log_ratios);
  return all;
}

/// No machine of these peaks can do it in less.
double least_seconds(const TimedTask& task, const Work& work) {
  const bool reads = task.reads_all && task.peaks.native, product = task.product && task.peaks.native;
  return timing::least_seconds({work.output_bytes, reads ? work.input_bytes : 0, product ? work.flops : 0}, task.peaks);
}

TimingFacts facts_of(const TimedTask& task, const TimedShape& shape, const record::Noise& noise) {
  TimingFacts facts{.candidate_seconds = seconds(shape),
                    .overhead_seconds = median(shape.times.overheads),
                    .least_seconds = least_seconds(task, shape.work),
                    .baseline_drift = spread(shape.times.baseline_launches),
                    .candidate_drift = spread(shape.times.candidate_launches),
                    .steal = noise.steal,
                    .pressure = noise.pressure.value_or(0),
                    .speedup = timing::speedup_over(shape.times.log_ratios),
                    .is_sealed = task.is_sealed};
  if (shape.in_batches()) {
    facts.overhead_seconds = 0;  // nothing is taken off
    // Every launch counts, so each must be believed: who hides time in some alone is not.
    const Clocks& worst = *std::ranges::max_element(shape.times.clocks, {}, &Clocks::apart);
    const auto calls = static_cast<double>(worst.calls);
    facts.judge_seconds = worst.judge / calls;
    facts.device_seconds = worst.device / calls;
    facts.unsure_seconds = worst.unsure / calls;
    const auto longer =
        std::ranges::count_if(shape.times.clocks, [](const Clocks& each) { return each.apart() > 0 && each.judge > each.device; });
    facts.is_longer_in_most = 2 * longer > std::ssize(shape.times.clocks);
  }
  return facts;
}

/// Of the first shape that does not pass.
TimingVerdict verdict_on(const TimedTask& task, const record::Noise& noise) {
  for (const TimedShape& shape : task.shapes) {
    TimingVerdict judged = timing::judge_timing(facts_of(task, shape, noise));
    if (judged.verdict == Verdict::pass) continue;
    if (task.shapes.size() > 1) judged.reason = fmt::format("{}: {}", spell(shape.dims), judged.reason);
    return judged;
  }
  return {Verdict::pass, ""};
}

/// The device's own clock beside the judge's, which decides; a PASS whose clocks are far apart says so.
void add_device_time(const std::vector<TimedShape>& shapes, Record& record) {
  constexpr double kMostApart = 1.5, kLaunches = 200e-6;
  for (const TimedShape& shape : shapes)
    if (!(device_seconds(shape) > 0)) return;
  record.device_ns = std::round(mean(shapes, device_seconds) * 1e9);
  for (const TimedShape& shape : shapes) {
    const double device = device_seconds(shape), judge = seconds(shape);
    const bool apart = device > kMostApart * judge || judge > kMostApart * device + kLaunches;
    if (apart && record.verdict == Verdict::pass)
      record.detail =
          fmt::format("{}: a call takes {:.3g} us, by the device's own clock {:.3g} us", spell(shape.dims), judge * 1e6, device * 1e6);
  }
}

/// Of batches: what both clocks say, and what the device was like.
void add_clocks(const std::vector<TimedShape>& shapes, Record& record) {
  record.device_ns = std::round(mean(shapes, seconds) * 1e9);
  record.judge_ns = std::round(mean(shapes, judge_seconds) * 1e9);
  for (const TimedShape& shape : shapes) {
    if (shape.times.states.empty()) continue;
    if (!record.device_before) record.device_before = shape.times.states.front();
    record.device_after = shape.times.states.back();
  }
}

std::vector<record::ShapeTiming> describe_shapes(const std::vector<TimedShape>& shapes) {
  const std::vector<double> bounds = timing::holm_lower_bounds(log_ratios(shapes));
  std::vector<record::ShapeTiming> described;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    record::Speedup speedup = timing::speedup_over(shapes[i].times.log_ratios);
    speedup.at_least = bounds[i];
    described.push_back({shapes[i].dims, std::round(seconds(shapes[i]) * 1e9), std::round(baseline_seconds(shapes[i]) * 1e9), speedup});
  }
  return described;
}

double overhead(const std::vector<TimedShape>& shapes) {
  std::vector<double> all;
  for (const TimedShape& shape : shapes) all.insert(all.end(), shape.times.overheads.begin(), shape.times.overheads.end());
  return median(std::move(all));
}

double worst_drift(const std::vector<TimedShape>& shapes) {
  double worst = 1;
  for (const TimedShape& shape : shapes) worst = std::max(worst, spread(shape.times.baseline_launches));
  return worst;
}

}  // namespace

bool is_one_product(const spec::Graph& model) {
  const auto is_plain = [](const spec::TensorSpec& spec) {
    return spec.type == spec::ElementType::f32 || spec.type == spec::ElementType::f64;
  };
  return model.nodes.size() == 1 && model.nodes.front().domain.empty() &&
         (model.nodes.front().op_type == "MatMul" || model.nodes.front().op_type == "Gemm") && std::ranges::all_of(model.inputs, is_plain);
}

bool reads_all_inputs(const spec::Graph& model) {
  if (model.nodes.size() != 1) return false;
  const spec::Node& node = model.nodes.front();
  const oracle::Operator* used = oracle::find_operator(node.op_type, node.domain);
  return used != nullptr && used->info.reads_all && std::ranges::all_of(model.inputs, [&](const spec::TensorSpec& input) {
           return std::ranges::count(node.inputs, input.name) == 1;  // x - x is 0
         });
}

std::chrono::seconds bench_budget(std::chrono::seconds time_limit) { return std::max(std::chrono::seconds(450), 45 * time_limit); }

Work work_of(const spec::Graph& model, const PreparedCase& layout) {
  Work work{.flops = layout.flops};
  for (const Bytes& input : layout.inputs) work.input_bytes += static_cast<double>(input.size());
  work.bytes = work.input_bytes + layout.scattered_bytes;
  for (std::size_t i = 0; i < layout.outputs.size(); ++i) {
    const auto& over = layout.outputs[i].in_place;
    const double bytes = static_cast<double>(layout.outputs[i].bytes());
    if (!over) work.output_bytes += bytes;
    const bool in_part = over && is_scattered(model, model.inputs[*over].name, model.outputs[i].name);
    work.bytes += in_part ? -bytes : bytes;
  }
  return work;
}

bool TimedShape::in_batches() const { return !times.clocks.empty() && times.clocks.front().calls > 0; }

std::string spell(const std::map<std::string, std::int64_t>& dims) {
  std::vector<std::string> words;
  for (const auto& [name, extent] : dims) words.push_back(fmt::format("{}={}", name, extent));
  return fmt::format("{}", fmt::join(words, ","));
}

void fill_figures(const TimedTask& task, Record& record) {
  const std::vector<TimedShape>& shapes = task.shapes;
  record.noise.value().baseline_drift = worst_drift(shapes);
  const auto [verdict, reason, doubt] = verdict_on(task, *record.noise);
  set_verdict(record, verdict, reason);
  record.doubt = doubt;
  shapes.front().in_batches() ? add_clocks(shapes, record) : add_device_time(shapes, record);
  record.time_ns = std::round(mean(shapes, seconds) * 1e9);
  record.baseline_ns = std::round(mean(shapes, baseline_seconds) * 1e9);
  record.overhead_ns = std::round(overhead(shapes) * 1e9);
  record.speedup = timing::speedup_over_shapes(log_ratios(shapes));
  record.folds = timing::folds_over_shapes(log_ratios(shapes));
  record.shapes = describe_shapes(shapes);
  record.gbps = mean(shapes, [](const TimedShape& s) { return s.work.bytes / seconds(s); }) * 1e-9;
  record.gflops = mean(shapes, [](const TimedShape& s) { return s.work.flops / seconds(s); }) * 1e-9;
  record.efficiency = mean(shapes, [&](const TimedShape& s) {
    // A kernel may need less than is counted: a few rows of a table, products of integers.
    return std::min(1.0, std::max(s.work.flops / task.peaks.flops, s.work.bytes / task.peaks.bandwidth) / seconds(s));
  });
}

}  // namespace assay::stages

// SPDX-License-Identifier: Apache-2.0
#include "bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <utility>

#include "assay/record/output.h"
#include "assay/timing/device_monitor.h"
#include "assay/timing/device_peaks.h"

namespace assay::stages {

using cases::load_cases, cases::PreparedCase, cases::TimingShape;
using plan::Candidate, plan::DeviceCode, plan::Plan;
using timing::CandidateFailed, timing::PairedSetting, timing::Seat, timing::threads_of, timing::Turn;

namespace {

/// Of inputs that are drawn while a framework starts.
constexpr std::size_t kMostAhead = std::size_t{4} << 30;

/// Launches that are made again because their clocks disagree.
int most_doubted(const timing::Effort& effort) { return std::max(2, effort.launches / 5); }

bool is_cold(const std::string& cache) {
  if (cache == "warm" || cache == "cold") return cache == "cold";
  throw std::runtime_error(fmt::format("bench: unknown state of the caches '{}'. known: warm cold", cache));
}

}  // namespace

std::shared_ptr<const Seat> take_seat(const Plan& plan, const std::optional<DeviceCode>& code) {
  if (!code || std::getenv("CTEST_RESOURCE_GROUP_COUNT") == nullptr) return nullptr;
  return std::make_shared<const Seat>(plan.settings.machine, sandbox::processors());
}

PairedSetting candidate_against_baseline(const Plan& plan, const Candidate& candidate, const std::optional<DeviceCode>& code,
                                         std::shared_ptr<const Seat> seat) {
  const sandbox::Processors cpus = seat ? seat->processors() : sandbox::processors();
  const trial::BoxProgram baseline = trial::baseline_program(plan);
  PairedSetting setting{trial::candidate_program(plan, candidate, code, threads_of(cpus), bench_budget(plan.task.time_limit)), baseline,
                        std::make_shared<timing::IdleBox>(baseline), cpus, is_cold(plan.settings.cache)};
  setting.seat = std::move(seat);
  if (!code) return setting;
  setting.turns = timing::DeviceTurns(plan.settings.machine, code->device);
  if (setting.candidate.transfers)
    setting.read_device = [monitor = std::make_shared<timing::DeviceMonitor>(code->device)] { return monitor->read(); };
  return setting;
}

timing::MachinePeaks peaks_for(const Plan& plan, const PairedSetting& setting) {
  if (!setting.candidate.transfers) return timing::load_peaks(plan.settings.machine);
  const Turn turn = setting.turns.alone();
  return timing::measure_device(setting.candidate);
}

Bench::Bench(const Plan& plan, const std::optional<DeviceCode>& code, PairedSetting setting, std::function<timing::MachinePeaks()> peaks,
             std::filesystem::path root)
    : plan_(plan),
      code_(code),
      task_(spec::load_checked_task(plan.task.task_yaml)),
      effort_(timing::effort_of(plan.settings.effort)),
      seed_(cases::fresh_seed()),
      random_(seed_, {"order"}),
      setting_(std::move(setting)),
      peaks_(std::move(peaks)),
      timed_{{}, {}, is_one_product(task_.model), reads_all_inputs(task_.model), setting_.candidate.seals},
      noise_(setting_.processors.boxes, std::move(root)),
      shapes_(load_cases(plan.task.timing()).timing) {
  for (const TimingShape& shape : shapes_) timed_.shapes.push_back({shape.dims, {}, {}});
  if (shapes_.empty()) throw std::runtime_error(fmt::format("bench: task {} has no timing: {}", task_.name, plan.settings.shapes));
}

Bench::Shown Bench::launch(std::size_t index) {
  timing::ShapeTimes& times = timed_.shapes[index].times;
  if (!drawn_ || drawn_->shape != index) attempts_.unless_killed([&] { begin(index); });
  timing::LaunchTimes launch = time_once();
  while (launch.clocks.apart() > 0 && doubted_++ < most_doubted(effort_)) launch = time_once();
  times.add(launch);
  if (times.log_ratios.size() == static_cast<std::size_t>(effort_.launches)) judge_due(setting_, drawn_->inputs);
  return {std::span(times.candidate).last(static_cast<std::size_t>(effort_.pairs)), times.log_ratios.back(),
          times.baseline_launches.back()};
}

void Bench::fill(record::Record& record) const {
  for (const TimedShape& shape : timed_.shapes)
    if (shape.times.log_ratios.size() != static_cast<std::size_t>(effort_.launches))
      throw std::runtime_error("bench: not every planned launch was run. do: leave out flags that choose benchmarks");
  record.noise = noise_.read();
  fill_figures(timed_, record);
  record.effort = plan_.settings.effort;
  record.target = plan_.settings.shapes;
  record.cache = timed_.shapes.front().in_batches() || timed_.is_sealed ? "cold" : plan_.settings.cache;
  record.launches = effort_.launches;
  record.pairs = effort_.pairs;
  if (setting_.candidate.transfers) {
    record.device.value().copy_gbps = timed_.peaks.bandwidth * 1e-9;
    record.device.value().gflops = timed_.peaks.flops * 1e-9;
  }
  record.baseline = baseline_;
  record.threads = {threads_of(setting_.processors), baseline_ == kBuiltIn ? 1 : threads_of(setting_.processors)};
  record.seed = cases::seed_text(seed_);
}

timing::LaunchTimes Bench::time_once() {
  timing::LaunchTimes launch;
  attempts_.unless_killed([&] { launch = time_launch(setting_, drawn_->inputs, drawn_->launches++, random_); });
  return launch;
}

std::optional<trial::FailedLaunch> Bench::prepare(const PreparedCase& layout) const {
  const Turn turn = setting_.turns.shared();
  return trial::prepare_launches(setting_.candidate, task_, std::span(&layout, 1), setting_.open_box);
}

/// Lets go of the inputs of the shape before, so that one shape's are in memory.
void Bench::begin(std::size_t index) {
  drawn_.reset();
  drawn_.emplace(index, task_, shapes_[index], index, seed_, effort_.pairs, plan_.settings.profile);
  const PreparedCase& layout = drawn_->inputs.layout();
  timed_.shapes[index].work = work_of(task_.model, layout);
  choose_baseline(index, layout, [&] {
    if (index == 0) timed_.peaks = peaks_();  // before the framework comes to the device
    if (const auto failed = prepare(layout)) throw CandidateFailed{failed->failure};
    const timing::Helpers helpers(setting_);
    if (helpers.cpus().size() > drawn_->inputs.calls())  // one launch alone would leave some of them idle
      drawn_->inputs.draw_ahead(static_cast<std::size_t>(effort_.launches), kMostAhead, helpers.cpus());
    drawn_->inputs.launch(0, helpers.cpus());
  });
}

/// The first shape decides: all have one baseline. Does the `rest` while a framework starts.
void Bench::choose_baseline(std::size_t index, const PreparedCase& layout, const std::function<void()>& rest) {
  const bool is_chosen = index > 0 && baseline_ == kBuiltIn;
  const auto program = is_chosen ? std::nullopt : trial::framework_program(plan_, task_, layout, threads_of(setting_.processors), code_);
  if (!program) return rest();
  try {
    start_framework(setting_, *program, layout, rest);
    baseline_ = plan_.settings.framework->name + (setting_.is_witness ? " cuda" : "");
  } catch (const trial::Unsuited& reason) {
    if (index > 0) throw;
    fmt::print("the baseline is {}: {}\n", kBuiltIn, record::harmless(reason.what()));
  }
}

}  // namespace assay::stages

// SPDX-License-Identifier: Apache-2.0
#include "paired_timing.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "assay/judge/profile.h"
#include "cache.h"

namespace assay {
namespace {

constexpr std::chrono::milliseconds kCallLimit{20000};
/// Of processor time: what a wake-up costs that only serves to be stopped again.
constexpr std::chrono::microseconds kSettling{20};
/// Of a launch's calls, in which the candidate seems to run while it is frozen: a hypervisor that takes the processor away
/// between stop and switch does that to anybody, once in a thousand launches. A launch's ratio hardly feels two pairs.
constexpr int kMostStirs = 2;
/// An empty call reads nothing of its buffers.
constexpr std::size_t kIdleBytes = 64;

/// As many of one order as of the other, shuffled: what the first call of a pair does to the second cancels out.
std::vector<bool> balanced_orders(std::size_t count, RandomStream& random) {
  std::vector<bool> orders(count);
  for (std::size_t i = 0; i < count; ++i) orders[i] = i % 2 == 0;
  for (std::size_t left = count; left > 1; --left) {
    const std::size_t other = random.below(left);
    const bool last = orders[left - 1];
    orders[left - 1] = orders[other];
    orders[other] = last;
  }
  return orders;
}

void flush(Box& box, const PreparedCase& inputs) {
  for (std::size_t i = 0; i < inputs.inputs.size(); ++i) flush_from_caches(box.input(i));
  for (std::size_t i = 0; i < inputs.outputs.size(); ++i) flush_from_caches(box.output(i));
}

}  // namespace

int threads_of(const Processors& processors) { return static_cast<int>(processors.boxes.size()); }

int launches_of(const std::string& effort) {
  if (effort == "quick") return 4;
  if (effort == "standard") return 100;
  if (effort == "publish") return 200;
  throw std::runtime_error(fmt::format("bench: unknown effort '{}'. known: quick standard publish", effort));
}

std::vector<int> all_of(const Processors& processors) {
  std::vector<int> all = processors.boxes;
  if (std::ranges::find(all, processors.judge) == all.end()) all.push_back(processors.judge);
  return all;
}

PairedLaunch::PairedLaunch(const PairedSetting& setting, const std::vector<TimedInputs>& inputs, RandomStream& random)
    : setting_(setting), inputs_(inputs), random_(random), orders_(balanced_orders(kPairs, random)) {
  // A launch gets the pages that the one before gave back, in whatever order: who is first to take them, here and below, is drawn.
  const bool candidate_first = random_.below(2) == 0;
  for (const bool candidate : {candidate_first, !candidate_first})
    (candidate ? candidate_ : baseline_) = open(candidate ? setting.candidate : setting.baseline);
  BoxProgram idle = setting.baseline;
  idle.cpus = setting_.processors.boxes;
  idle.timing = true;
  idle_ = std::make_unique<Box>(idle, kIdleBytes, kIdleBytes, 2);
  if (idle_->failure()) fail(*idle_, *idle_->failure());
  // Processors differ for as long as their neighbours are busy: all begin on one, which the idle box's call has woken.
  const std::vector<int>& processors = setting_.processors.boxes;
  const int start = processors[random_.below(processors.size())];
  for (Box* box : {candidate_.get(), baseline_.get(), idle_.get()}) box->begin_on(start);
  for (const bool candidate : {candidate_first, !candidate_first}) {
    Box& box = candidate ? *candidate_ : *baseline_;
    load_blank(box, inputs_.front().prepared);
    seconds_of(box, wire::CallKind::empty);
  }
  PairTime warmup{};
  for (int i = 0; i < kWarmups; ++i) time_next((i % 2 == 0) == candidate_first, warmup);
  overheads_.clear();
}

std::unique_ptr<Box> PairedLaunch::open(BoxProgram program) const {
  program.cpus = setting_.processors.boxes;
  program.timing = true;
  auto box = open_box(program, std::span(&inputs_.front().prepared, 1));
  if (!box->failure()) return box;
  if (!program.ours) throw CandidateFailed{*box->failure()};
  throw std::runtime_error("baseline: " + box->failure()->detail);
}

PairTime PairedLaunch::time_pair() {
  PairTime pair{};
  while (inputs_.at(next_).probe) time_next(random_.below(2) == 0, pair);
  time_next(orders_.at(pairs_.size()), pair);
  pairs_.push_back(pair);
  device_times_.push_back(std::chrono::duration<double>(candidate_->device_time()).count());
  return pair;
}

void PairedLaunch::time_next(bool candidate_first, PairTime& pair) {
  const PreparedCase& inputs = inputs_.at(next_++).prepared;
  Box& first = candidate_first ? *candidate_ : *baseline_;
  Box& second = candidate_first ? *baseline_ : *candidate_;
  slept_at_ = candidate_->cpu_time();
  ran_ = false;
  for (Box* box : {&first, &second}) prepare(*box, inputs);
  // Nothing but the handshake lies between the two calls: what changes the machine's speed meanwhile meets both.
  const double first_seconds = time_call(first), second_seconds = time_call(second);
  for (Box* box : {&first, &second}) {
    box->download();
    check(*box, inputs);
  }
  pair = candidate_first ? PairTime{first_seconds, second_seconds} : PairTime{second_seconds, first_seconds};
}

void PairedLaunch::prepare(Box& box, const PreparedCase& inputs) {
  load_case(box, inputs);
  box.poison(static_cast<std::uint32_t>(random_.bits()));
  if (box.program().transfers) {
    watch_stillness();
    box.upload();
    ran_ = true;
  }
  if (setting_.cold) flush(box, inputs);
}

double PairedLaunch::time_call(Box& box) {
  // The first wakes a processor that has gone to sleep meanwhile; so the timed call finds it as the second does.
  seconds_of(*idle_, wire::CallKind::empty);
  // The kernel accounts the last stretch of a stopped thread when it leaves its processor: by now it has.
  if (ran_) slept_at_ = candidate_->cpu_time();
  watch_stillness();
  overheads_.push_back(seconds_of(*idle_, wire::CallKind::empty));
  const double seconds = seconds_of(box, wire::CallKind::kernel);
  ran_ = &box == candidate_.get();
  if (!ran_) watch_stillness();
  return seconds;
}

/// A process can wake itself (a timer that sends SIGCONT), to work ahead or to disturb the baseline.
void PairedLaunch::watch_stillness() {
  const auto now = candidate_->cpu_time();
  if (!now || !slept_at_ || *now <= *slept_at_ + kSettling) return;
  if (++stirs_ > kMostStirs)
    throw CandidateFailed{{Verdict::policy, fmt::format("ran while it was frozen, for {:.3g} us",
                                                        std::chrono::duration<double, std::micro>(*now - *slept_at_).count())}};
  slept_at_ = now;
}

double PairedLaunch::seconds_of(Box& box, wire::CallKind kind) const {
  const auto time = box.call(kind, kCallLimit);
  if (!time) fail(box, box.failure().value_or(Failure{Verdict::harness_error, "the box ended without a reason"}));
  return std::chrono::duration<double>(*time).count();
}

void PairedLaunch::fail(const Box& box, const Failure& failure) const {
  if (&box == candidate_.get()) throw CandidateFailed{failure};
  throw std::runtime_error("baseline: " + failure.detail);
}

void PairedLaunch::check(const Box& box, const PreparedCase& inputs) const {
  if (box.failure()) fail(box, *box.failure());
  const auto damage = box.damaged_fence();
  const Comparison comparison = compare_by(setting_.profile, inputs, copy_outputs(box, inputs));
  if (damage) fail(box, *damage);
  if (!comparison.accepted) fail(box, {Verdict::wrong_result, "timed call: " + comparison.detail});
}

std::vector<PairTime> PairedLaunch::times() const {
  std::vector<PairTime> times = pairs_;
  for (PairTime& pair : times) {
    pair.candidate = std::max(1e-9, pair.candidate - overhead());
    pair.baseline = std::max(1e-9, pair.baseline - overhead());
  }
  return times;
}

void ShapeTimes::add(const PairedLaunch& launch) {
  const auto times = launch.times();
  std::vector<double> of_candidate, of_baseline;
  for (const PairTime& pair : times) {
    of_candidate.push_back(pair.candidate);
    of_baseline.push_back(pair.baseline);
  }
  candidate.insert(candidate.end(), of_candidate.begin(), of_candidate.end());
  baseline.insert(baseline.end(), of_baseline.begin(), of_baseline.end());
  candidate_launches.push_back(median(std::move(of_candidate)));
  baseline_launches.push_back(median(std::move(of_baseline)));
  log_ratios.push_back(log_ratio(times));
  overheads.push_back(launch.overhead());
  std::ranges::copy(launch.device_times(), std::back_inserter(device));
}

ShapeTimes time_against_itself(const Plan& plan, const Processors& processors, const Seed& seed,
                               const std::function<bool(const LogRatios&)>& enough) try {
  const CaseFile cases = load_cases(plan.cases);
  if (cases.timing.empty()) throw std::runtime_error(fmt::format("canary: task {} has no timing: {}", plan.task, plan.shapes));
  const PairedSetting setting{baseline_program(plan), baseline_program(plan), processors, cases.profile, plan.cache == "cold"};
  RandomStream random(seed, {"order"});
  const Task task = load_checked_task(plan.task_yaml);
  TimedDraw draw(task, cases.timing.front(), 0, seed, cases.profile, all_of(processors));
  ShapeTimes times;
  while (!enough(times.log_ratios)) {
    // The baseline remembers nothing: one launch's inputs do for all.
    PairedLaunch launch(setting, draw.launch(0), random);
    for (int pair = 0; pair < kPairs; ++pair) launch.time_pair();
    times.add(launch);
  }
  return times;
} catch (const CandidateFailed& failed) {
  throw std::runtime_error("baseline: " + failed.failure.detail);
}

}  // namespace assay

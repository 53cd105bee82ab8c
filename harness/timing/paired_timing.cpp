// SPDX-License-Identifier: Apache-2.0
#include "assay/timing/paired_timing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <utility>

#include "assay/sandbox/on_all.h"
#include "batched_timing.h"
#include "cache.h"

namespace assay::timing {
namespace {

using cases::CallOutputs, cases::kWarmups, cases::LaunchInputs, cases::PreparedCase, cases::RandomStream, cases::TimedDraw;
using record::Verdict;
using trial::Box, trial::BoxProgram, trial::copy_outputs, trial::Failure, trial::load_blank, trial::load_case, trial::Poison;
/// Of processor time: what a wake-up costs that only serves to be stopped again.
constexpr std::chrono::microseconds kSettling{20};
/// Of a launch's calls, in which the candidate seems to run while it is frozen: a hypervisor that takes the processor away
/// between stop and switch does that to anybody, once in a thousand launches. A launch's ratio hardly feels two pairs.
constexpr int kMostStirs = 2;
/// Bytes of a call's tensors: beyond the near caches of a processor, and more work than starting a thread is.
constexpr std::size_t kWorthAThread = std::size_t{4} << 20;
/// Of an empty call's buffers, of which it reads nothing.
constexpr std::size_t kIdleBytes = 64;
/// Of inputs and outputs that wait for the oracle. Fewer bytes wait until there is a call for each processor.
constexpr std::size_t kMostDue = std::size_t{4} << 30;

void flush(Box& box, const PreparedCase& inputs) {
  for (std::size_t i = 0; i < inputs.inputs.size(); ++i) flush_from_caches(box.input(i));
  for (std::size_t i = 0; i < inputs.outputs.size(); ++i) flush_from_caches(box.output(i));
}

/// An interpreted one is not ready yet.
std::shared_ptr<Box> start(const PairedSetting& setting, BoxProgram program, std::span<const PreparedCase> calls) {
  program.cpus = setting.processors.boxes;
  program.timing = true;
  // An interpreted one needs the processor for seconds before it needs the device.
  const Turn turn = program.transfers && !program.interpreted ? setting.turns.shared() : Turn();
  return setting.open_box(program, calls);
}

std::shared_ptr<Box> ready(const PairedSetting& setting, std::shared_ptr<Box> box) {
  if (box->program().interpreted) box->wait_until_ready();
  if (box->failure()) fail_launch(setting, !box->program().ours, *box->failure());
  if (box->program().interpreted) setting.kept = box;
  return box;
}

std::shared_ptr<Box> open(const PairedSetting& setting, const BoxProgram& program, std::span<const PreparedCase> calls) {
  if (program.interpreted && setting.kept && !setting.kept->failure()) return setting.kept;
  return ready(setting, start(setting, program, calls));
}

/// What a sealed call takes without its kernel, in a process of the same program that holds no candidate.
class Sealing {
 public:
  /// Before the candidate is there.
  Sealing(const PairedSetting& setting, std::span<const PreparedCase> calls)
      : setting_(setting), box_(open(setting, trial::sealing_program(setting.candidate), calls)) {
    constexpr int kCalls = 5;
    load_blank(*box_, calls.front());
    const Turn turn = setting.turns.alone();
    for (int i = 0; i < kCalls; ++i) measure(true);
    alone_ = median(std::exchange(watched_, {}));
    seconds_.clear();
  }

  void begin_on(int cpu) { box_->begin_on(cpu); }
  void measure(bool follows_candidate) {
    const double watched = wait_for_the_device();
    if (follows_candidate) watched_.push_back(watched);
    seconds_.push_back(seconds_of(setting_, false, *box_, box_->call(wire::CallKind::sealing, box_->program().call_limit)));
  }

  /// Of all since the candidate is there. Throws CandidateFailed where something of it still ran on the device after most of its calls.
  double seconds() const {
    if (const double beside = median(watched_); is_shared(beside)) fail_as_busy(beside);
    return median(seconds_);
  }

 private:
  /// Processes take turns on a device, of some 2 ms. A GPU that is warm is slower by less than this.
  bool is_shared(double taken) const { return alone_ > 0 && taken > 1.6 * alone_ + 100e-6; }

  [[noreturn]] void fail_as_busy(double beside) const {
    fail_launch(
        setting_, true,
        {Verdict::policy, fmt::format("keeps the device busy between its calls: what takes {:.3g} us there takes {:.3g} us beside it",
                                      alone_ * 1e6, beside * 1e6)});
  }

  /// What a stopped candidate has left there would slow the baseline down. It takes of the candidate's time. Returns what the first watch
  /// took. Throws CandidateFailed where the candidate's time is at an end, or a call may not take so long.
  double wait_for_the_device() {
    const std::chrono::duration<double> limit = box_->program().call_limit;
    const auto& budget = setting_.candidate.budget;
    for (double waited = 0, first = 0;;) {
      seconds_of(setting_, false, *box_, box_->call(wire::CallKind::watch, box_->program().call_limit));
      const double taken = std::chrono::duration<double>(box_->device_time()).count();
      if (waited == 0) first = taken;
      waited += taken;
      if (!is_shared(taken)) return first;
      if (budget) budget->spend(box_->device_time());
      if (waited > limit.count() || (budget && budget->left().count() < 0)) fail_as_busy(taken);
    }
  }

  const PairedSetting& setting_;
  std::shared_ptr<Box> box_;
  std::vector<double> seconds_, watched_;
  double alone_ = 0;
};

/// One launch while it runs.
class PairedLaunch {
 public:
  /// With boxes that are open already, or none.
  PairedLaunch(const PairedSetting& setting, const LaunchInputs& inputs, RandomStream& random, std::unique_ptr<Sealing> sealing,
               std::shared_ptr<Box> candidate, std::shared_ptr<Box> baseline);

  void warm_up();
  void time_pairs();
  /// Compares what was copied, on all processors: the boxes have left them by then.
  LaunchTimes checked(TimedDraw& draw);

 private:
  PairTime time_next(bool candidate_first);
  template <class Work>
  void on_both(Box& first, Box& second, Work work);
  void prepare(Box& box, const PreparedCase& inputs, std::uint32_t poison);
  double time_call(Box& box);
  double seconds_of(Box& box, wire::CallKind kind) const;
  bool has_clock(const Box& box) const;
  void keep_outputs(Box& box, std::size_t call);
  [[noreturn]] void fail(bool of_candidate, const Failure& failure) const;
  void settle(bool ran);
  void watch_stillness();

  const PairedSetting& setting_;
  const LaunchInputs& inputs_;
  RandomStream& random_;
  bool candidate_first_;              ///< in all that comes before the pairs
  std::unique_ptr<Sealing> sealing_;  ///< of a candidate whose calls are sealed
  std::shared_ptr<Box> candidate_, baseline_;
  Box* idle_;
  bool side_by_side_;         ///< what is done to both boxes between two pairs is done at the same time
  std::vector<bool> orders_;  ///< of all pairs: whether the candidate goes first
  std::size_t next_ = 0;
  std::vector<PairTime> pairs_;
  std::vector<double> overheads_, of_baseline_;  ///< of an empty call; of one of the baseline's own, where that is interpreted
  std::vector<double> device_times_;
  std::vector<CallOutputs> copies_;                   ///< of each call
  std::optional<std::chrono::nanoseconds> slept_at_;  ///< the candidate's processor time when it was frozen last
  int stirs_ = 0;                                     ///< calls between which the candidate seems to have run
  bool ran_ = false;                                  ///< the candidate, in the last timed call
};

PairedLaunch::PairedLaunch(const PairedSetting& setting, const LaunchInputs& inputs, RandomStream& random, std::unique_ptr<Sealing> sealing,
                           std::shared_ptr<Box> candidate, std::shared_ptr<Box> baseline)
    : setting_(setting),
      inputs_(inputs),
      random_(random),
      // A launch gets the pages that the one before gave back, in whatever order: who is first to take them is drawn.
      candidate_first_(random.below(2) == 0),
      sealing_(std::move(sealing)),
      candidate_(std::move(candidate)),
      baseline_(std::move(baseline)),
      side_by_side_(!setting.candidate.transfers && !setting.baseline.transfers && bytes_of(inputs.calls.front()) > kWorthAThread),
      orders_(balanced_orders(inputs.pairs, random)),
      copies_(inputs.calls.size()) {
  for (const bool of_candidate : {candidate_first_, !candidate_first_}) {
    std::shared_ptr<Box>& box = of_candidate ? candidate_ : baseline_;
    if (!box) box = open(setting, of_candidate ? setting.candidate : setting.baseline, inputs.calls);
  }
  idle_ = &setting_.idle->on(setting_.processors);
  // Processors differ for as long as their neighbours are busy: all begin on one, which the idle box's call has woken.
  const std::vector<int>& processors = setting_.processors.boxes;
  const int start = processors[random_.below(processors.size())];
  for (Box* box : {candidate_.get(), baseline_.get(), idle_}) box->begin_on(start);
  if (sealing_) sealing_->begin_on(start);
}

void PairedLaunch::warm_up() {
  for (const bool candidate : {candidate_first_, !candidate_first_}) {
    Box& box = candidate ? *candidate_ : *baseline_;
    load_blank(box, inputs_.calls.front());
    seconds_of(box, wire::CallKind::empty);
  }
  for (int i = 0; i < kWarmups; ++i) time_next((i % 2 == 0) == candidate_first_);
  overheads_.clear(), of_baseline_.clear();
}

void PairedLaunch::time_pairs() {
  while (next_ < inputs_.calls.size()) {
    if (inputs_.probes[next_]) {
      time_next(random_.below(2) == 0);
      continue;
    }
    pairs_.push_back(time_next(orders_.at(pairs_.size())));
    device_times_.push_back(std::chrono::duration<double>(candidate_->device_time()).count());
  }
}

PairTime PairedLaunch::time_next(bool candidate_first) {
  const std::size_t call = next_++;
  Box& first = candidate_first ? *candidate_ : *baseline_;
  Box& second = candidate_first ? *baseline_ : *candidate_;
  settle(true);
  ran_ = false;
  const auto pattern = std::array{static_cast<std::uint32_t>(random_.bits()), static_cast<std::uint32_t>(random_.bits())};
  on_both(first, second, [&](Box& box) { prepare(box, inputs_.calls[call], pattern[&box == &first ? 0 : 1]); });
  // Nothing but the handshake lies between the two calls: what changes the machine's speed meanwhile meets both.
  const double first_seconds = time_call(first), second_seconds = time_call(second);
  if (!setting_.candidate.ours || call < kWarmups) on_both(first, second, [&](Box& box) { keep_outputs(box, call); });
  return candidate_first ? PairTime{first_seconds, second_seconds} : PairTime{second_seconds, first_seconds};
}

/// As often as not the candidate is the first: where the data of a box lie when it is called favours nobody.
template <class Work>
void PairedLaunch::on_both(Box& first, Box& second, Work work) {
  if (side_by_side_) return sandbox::on_all(all_of(setting_.processors), 2, [&](std::size_t i) { work(i == 0 ? first : second); });
  work(first);
  work(second);
}

void PairedLaunch::prepare(Box& box, const PreparedCase& inputs, std::uint32_t poison) {
  load_case(box, inputs);
  box.poison(Poison::nan, poison);
  if (box.program().transfers) {
    watch_stillness();
    has_clock(box) ? box.stow(0) : box.upload();
    if (&box == candidate_.get()) settle(true);  // from here on it stands still, with its data in sight
  }
  if (setting_.cold) flush(box, inputs);
}

double PairedLaunch::time_call(Box& box) {
  settle(ran_);
  watch_stillness();
  if (sealing_) {
    sealing_->measure(ran_);
    seconds_of(box, wire::CallKind::touch);
  }
  if (has_clock(box)) {
    const auto limit = 2 * box.program().call_limit;
    timing::seconds_of(setting_, false, box, box.batch(wire::CallKind::batch, 1, limit));
    of_baseline_.push_back(0);
    watch_stillness();
    return std::chrono::duration<double>(box.device_times(1).front()).count();
  }
  // An interpreter has threads by the dozen, and a call is over when the last one stands still.
  if (box.program().interpreted) of_baseline_.push_back(seconds_of(box, wire::CallKind::empty));
  overheads_.push_back(seconds_of(*idle_, wire::CallKind::empty));
  const double seconds = seconds_of(box, wire::CallKind::kernel);
  ran_ = &box == candidate_.get();
  if (!ran_) watch_stillness();
  return seconds;
}

/// An empty call wakes a processor that has gone to sleep: what is called next finds it awake. And the kernel accounts the last stretch of
/// a stopped thread when it leaves its processor, so by now it has done so for the candidate's, where that `ran`.
void PairedLaunch::settle(bool ran) {
  seconds_of(*idle_, wire::CallKind::empty);
  if (ran) slept_at_ = candidate_->cpu_time();
}

/// A process can wake itself (a timer that sends SIGCONT), to work ahead or to disturb the baseline.
void PairedLaunch::watch_stillness() {
  const auto now = candidate_->cpu_time();
  if (!now || !slept_at_ || now.value() <= slept_at_.value() + kSettling) return;
  if (++stirs_ > kMostStirs)
    fail(true, {Verdict::policy, fmt::format("ran while it was frozen, for {:.3g} us",
                                             std::chrono::duration<double, std::micro>(*now - *slept_at_).count())});
  slept_at_ = now;
}

double PairedLaunch::seconds_of(Box& box, wire::CallKind kind) const {
  return timing::seconds_of(setting_, &box == candidate_.get(), box, box.call(kind, 2 * box.program().call_limit));
}

/// A baseline on the device of host code is timed by its clock, as beside device code: how fast an interpreter makes calls says nothing of
/// its kernels. The candidate's launches are part of its own time.
bool PairedLaunch::has_clock(const Box& box) const { return sealing_ && &box == baseline_.get() && baseline_->batches() > 0; }

void PairedLaunch::fail(bool of_candidate, const Failure& failure) const { fail_launch(setting_, of_candidate, failure); }

void PairedLaunch::keep_outputs(Box& box, std::size_t call) {
  const bool of_candidate = &box == candidate_.get();
  if (!of_candidate && !setting_.is_witness && call >= kWarmups) return;
  has_clock(box) ? box.fetch(0) : box.download();
  if (box.failure()) fail(of_candidate, *box.failure());
  if (!of_candidate && !setting_.is_witness) return;  // what it gives has the right shapes
  if (const auto damage = box.damaged_fence()) fail(of_candidate, *damage);
  (of_candidate ? copies_[call].candidate : copies_[call].baseline) = copy_outputs(box, inputs_.calls[call]);
}

LaunchTimes PairedLaunch::checked(TimedDraw& draw) {
  const double overhead = median(overheads_), of_candidate = sealing_ ? sealing_->seconds() : overhead;
  const double of_baseline = of_baseline_.empty() ? overhead : median(of_baseline_);
  {
    const Turn turn = setting_.candidate.transfers ? setting_.turns.shared() : Turn();
    sealing_.reset(), candidate_.reset(), baseline_.reset();
  }
  take_outputs(setting_, draw, std::move(copies_));
  for (PairTime& pair : pairs_) {
    pair.candidate = std::max(1e-9, pair.candidate - of_candidate);
    pair.baseline = std::max(1e-9, pair.baseline - of_baseline);
  }
  return {std::move(pairs_), overhead, std::move(device_times_), {}, {}};
}

}  // namespace

IdleBox::IdleBox(BoxProgram program)
    : IdleBox(std::move(program),
              [](const BoxProgram& idle) { return std::make_unique<trial::ConfinedBox>(idle, kIdleBytes, kIdleBytes, 2); }) {}

Box& IdleBox::on(const sandbox::Processors& processors) {
  if (!box_) {
    program_.cpus = processors.boxes;
    program_.timing = true;
    box_ = start_(program_);
  }
  if (box_->failure()) throw std::runtime_error("baseline: " + box_->failure()->detail);
  return *box_;
}

int threads_of(const sandbox::Processors& processors) { return static_cast<int>(processors.boxes.size()); }

std::vector<int> all_of(const sandbox::Processors& processors) {
  std::vector<int> all = processors.boxes;
  if (std::ranges::find(all, processors.judge) == all.end()) all.push_back(processors.judge);
  return all;
}

Helpers::Helpers(const PairedSetting& setting) : cpus_(all_of(setting.processors)) {
  if (setting.seat) seats_ = setting.seat->free_ones();
  for (const Seat& seat : seats_) std::ranges::copy(all_of(seat.processors()), std::back_inserter(cpus_));
}

void fail_launch(const PairedSetting& setting, bool of_candidate, const Failure& failure) {
  if (of_candidate && !setting.candidate.ours) throw CandidateFailed{failure};
  throw std::runtime_error("baseline: " + failure.detail);
}

double seconds_of(const PairedSetting& setting, bool of_candidate, const Box& box, std::optional<std::chrono::nanoseconds> call) {
  if (!call) fail_launch(setting, of_candidate, box.failure().value_or(Failure{Verdict::harness_error, "the box ended without a reason"}));
  return std::chrono::duration<double>(*call).count();
}

void take_outputs(const PairedSetting& setting, TimedDraw& draw, std::vector<CallOutputs> outputs) {
  const std::size_t processors = [&] {
    const Helpers helpers(setting);
    draw.take(std::move(outputs), helpers.cpus());
    return helpers.cpus().size();
  }();
  if (draw.due_calls() >= processors || draw.due_bytes() > kMostDue) judge_due(setting, draw);
}

void judge_due(const PairedSetting& setting, TimedDraw& draw) {
  const Helpers helpers(setting);
  for (const TimedDraw::Judged& each : draw.judge_due(helpers.cpus())) {
    if (!each.witness.accepted) fail_launch(setting, false, {Verdict::wrong_result, "timed call: " + each.witness.detail});
    if (!each.outputs.accepted) fail_launch(setting, true, {Verdict::wrong_result, "timed call: " + each.outputs.detail});
  }
}

void start_framework(PairedSetting& setting, const BoxProgram& program, const PreparedCase& layout,
                     const std::function<void()>& meanwhile) {
  setting.kept.reset();
  std::shared_ptr<Box> box = start(setting, program, std::span(&layout, 1));
  meanwhile();
  ready(setting, std::move(box));
  setting.baseline = program;
  setting.is_witness = !program.devices.empty();
}

LaunchTimes time_launch(const PairedSetting& setting, TimedDraw& draw, std::size_t index, RandomStream& random) {
  const LaunchInputs& inputs = draw.launch(index, Helpers(setting).cpus());
  std::shared_ptr<Box> candidate, baseline;
  auto sealing = setting.candidate.seals ? std::make_unique<Sealing>(setting, inputs.calls) : nullptr;
  if (setting.candidate.transfers) {
    // Where its data lie on a device is decided by who is there first.
    if (setting.baseline.launch && random.below(2) == 0) baseline = open(setting, setting.baseline, inputs.calls);
    candidate = open(setting, setting.candidate, inputs.calls);
  }
  if (candidate && candidate->batches() > 0) {
    if (!baseline) baseline = open(setting, setting.baseline, inputs.calls);
    return time_batches(setting, std::move(candidate), std::move(baseline), draw, inputs, random);
  }
  PairedLaunch launch(setting, inputs, random, std::move(sealing), std::move(candidate), std::move(baseline));
  Turn turn = setting.candidate.transfers ? setting.turns.alone() : Turn();
  launch.warm_up();
  launch.time_pairs();
  turn = {};
  return launch.checked(draw);
}

}  // namespace assay::timing

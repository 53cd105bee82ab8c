// SPDX-License-Identifier: Apache-2.0
#include "batched_timing.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <numeric>
#include <utility>

#include "cache.h"

namespace assay::timing {
namespace {

using cases::CallOutputs, cases::kWarmups, cases::LaunchInputs, cases::PreparedCase, cases::RandomStream, cases::TimedDraw;
using trial::Box, trial::copy_outputs, trial::lay_out, trial::load_case, trial::Poison;

double seconds(std::chrono::nanoseconds time) { return std::chrono::duration<double>(time).count(); }

/// One launch while it runs.
class BatchedLaunch {
 public:
  BatchedLaunch(const PairedSetting& setting, const LaunchInputs& inputs, RandomStream& random, std::shared_ptr<Box> candidate,
                std::shared_ptr<Box> baseline);
  LaunchTimes run(TimedDraw& draw);

 private:
  /// Whoever is called.
  struct Side {
    std::shared_ptr<Box> box;
    bool is_candidate;
    std::vector<double> times;  ///< of each call
    double slowest = 0;         ///< of the calls so far
  };
  using Sides = std::vector<Side*>;
  void call_all(const Sides& sides, std::size_t begin, std::size_t end, bool timed);
  void call_batches(const Sides& sides, std::size_t begin, std::size_t end, bool timed);
  void stow(Side& side, std::size_t begin, std::size_t end);
  void time_batch(Side& side, std::size_t begin, std::size_t end);
  void fetch(Side& side, std::size_t begin, std::size_t end);
  void call_singly(Side& side, std::size_t call);
  double batch(Side& side, wire::CallKind kind, std::size_t sets);
  void watch(const Side& side);
  void keep(Side& side, std::size_t call);
  /// After what is no call that has a time: those tell of a failure themselves, also of one before them.
  void require(const Side& side) const;

  const PairedSetting& setting_;
  const LaunchInputs& inputs_;
  RandomStream& random_;
  Side candidate_, baseline_;
  Box* idle_ = nullptr;
  std::vector<CallOutputs> outputs_;
  std::vector<double> overheads_, none_;  ///< of an empty call on the processor, and on the device between two events
  Clocks clocks_;
  std::vector<record::DeviceState> states_;
};

BatchedLaunch::BatchedLaunch(const PairedSetting& setting, const LaunchInputs& inputs, RandomStream& random, std::shared_ptr<Box> candidate,
                             std::shared_ptr<Box> baseline)
    : setting_(setting),
      inputs_(inputs),
      random_(random),
      candidate_{std::move(candidate), true, std::vector<double>(inputs.calls.size())},
      baseline_{std::move(baseline), false, std::vector<double>(inputs.calls.size())},
      outputs_(inputs.calls.size()) {
  if (baseline_.box->batches() > 0) return;
  idle_ = &setting.idle->on(setting.processors);
  const std::vector<int>& processors = setting.processors.boxes;
  const int start = processors[random.below(processors.size())];
  for (Box* box : {baseline_.box.get(), idle_}) box->begin_on(start);
}

LaunchTimes BatchedLaunch::run(TimedDraw& draw) {
  const bool candidate_first = random_.below(2) == 0;
  const Sides sides = candidate_first ? Sides{&candidate_, &baseline_} : Sides{&baseline_, &candidate_};
  call_all(sides, 0, kWarmups, false);
  overheads_.clear(), none_.clear(), states_.clear(), clocks_ = {};
  call_all(sides, kWarmups, inputs_.calls.size(), true);
  auto closing = std::async(std::launch::async, [this] {
    const Turn turn = setting_.turns.shared();
    candidate_.box.reset(), baseline_.box.reset();
  });
  take_outputs(setting_, draw, std::move(outputs_));
  closing.get();
  LaunchTimes times;
  times.overhead = median(none_);
  times.clocks = clocks_;
  times.states = std::move(states_);
  const double overhead = overheads_.empty() ? 0 : median(overheads_);
  for (std::size_t call = kWarmups; call < inputs_.calls.size(); ++call) {
    if (inputs_.probes[call]) continue;
    times.pairs.push_back({candidate_.times[call], std::max(1e-9, baseline_.times[call] - overhead)});
    times.device.push_back(candidate_.times[call]);
  }
  return times;
}

/// Both sides' calls. A side on the processor makes its own singly, before or after the other's.
void BatchedLaunch::call_all(const Sides& sides, std::size_t begin, std::size_t end, bool timed) {
  Sides batching;
  for (Side* side : sides)
    if (side->box->batches() > 0) batching.push_back(side);
  for (Side* side : sides) {
    if (side->box->batches() == 0)
      for (std::size_t call = begin; call < end; ++call) call_singly(*side, call);
    if (side == batching.front()) call_batches(batching, begin, end, timed);
  }
}

/// Calls of one layout are one batch of each side, up to a box's most: another layout moves the buffers.
void BatchedLaunch::call_batches(const Sides& sides, std::size_t begin, std::size_t end, bool timed) {
  std::size_t most = wire::kMaxSets;
  for (const Side* side : sides) most = std::min(most, side->box->batches());
  while (begin < end) {
    const std::size_t next = end_of_batch(std::span(inputs_.calls).first(end), begin, most);
    for (Side* side : sides) stow(*side, begin, next);
    {
      const Turn turn = timed ? setting_.turns.alone() : setting_.turns.shared();
      for (Side* side : sides) time_batch(*side, begin, next);
    }
    for (Side* side : sides) fetch(*side, begin, next);
    begin = next;
  }
}

void BatchedLaunch::stow(Side& side, std::size_t begin, std::size_t end) {
  for (std::size_t call = begin; call < end; ++call) {
    load_case(*side.box, inputs_.calls[call]);
    side.box->poison(Poison::nan, static_cast<std::uint32_t>(random_.bits()));
    const Turn turn = setting_.turns.shared();
    side.box->stow(call - begin);
  }
}

void BatchedLaunch::time_batch(Side& side, std::size_t begin, std::size_t end) {
  Box& box = *side.box;
  const std::size_t sets = end - begin;
  batch(side, wire::CallKind::empty_batch, sets);  // the device comes from another process
  const double before = batch(side, wire::CallKind::empty_batch, sets);
  const std::vector<std::chrono::nanoseconds> none = box.device_times(sets);
  watch(side);
  const double whole = batch(side, wire::CallKind::batch, sets);
  watch(side);
  const std::vector<std::chrono::nanoseconds> times = box.device_times(sets);
  const double after = batch(side, wire::CallKind::empty_batch, sets);
  std::ranges::transform(times, side.times.begin() + static_cast<std::ptrdiff_t>(begin), seconds);
  side.slowest = std::max(side.slowest, seconds(*std::ranges::max_element(times)));
  if (!side.is_candidate) return;
  std::ranges::transform(none, std::back_inserter(none_), seconds);
  clocks_.calls += sets;
  clocks_.judge += whole - (before + after) / 2;
  clocks_.device += seconds(std::accumulate(times.begin(), times.end(), std::chrono::nanoseconds{0}));
  clocks_.unsure += std::abs(before - after);
}

void BatchedLaunch::fetch(Side& side, std::size_t begin, std::size_t end) {
  for (std::size_t call = begin; call < end; ++call) {
    lay_out(*side.box, inputs_.calls[call]);
    {
      const Turn turn = setting_.turns.shared();
      side.box->fetch(call - begin);
    }
    require(side);
    keep(side, call);
  }
}

double BatchedLaunch::batch(Side& side, wire::CallKind kind, std::size_t sets) {
  // Warm-ups are few, and say how long the others may take.
  const std::chrono::duration<double> usual(4 * side.slowest * static_cast<double>(sets));
  const auto limit = 2 * side.box->program().call_limit + duration_cast<std::chrono::milliseconds>(usual);
  return seconds_of(setting_, side.is_candidate, *side.box, side.box->batch(kind, sets, limit));
}

/// While the box stands still.
void BatchedLaunch::watch(const Side& side) {
  if (!side.is_candidate || !setting_.read_device) return;
  if (auto state = setting_.read_device()) states_.push_back(std::move(*state));
}

/// On the processor: as a pair's second call (paired_timing.cpp), after an empty one that wakes it.
void BatchedLaunch::call_singly(Side& side, std::size_t call) {
  const auto time = [&](Box& box, wire::CallKind kind) {
    return seconds_of(setting_, side.is_candidate, box, box.call(kind, 2 * box.program().call_limit));
  };
  load_case(*side.box, inputs_.calls[call]);
  side.box->poison(Poison::nan, static_cast<std::uint32_t>(random_.bits()));
  side.box->upload();
  if (setting_.cold) {
    for (std::size_t i = 0; i < inputs_.calls[call].inputs.size(); ++i) flush_from_caches(side.box->input(i));
    for (std::size_t i = 0; i < inputs_.calls[call].outputs.size(); ++i) flush_from_caches(side.box->output(i));
  }
  time(*idle_, wire::CallKind::empty);
  overheads_.push_back(time(*idle_, wire::CallKind::empty));
  side.times[call] = time(*side.box, wire::CallKind::kernel);
  if (!setting_.is_witness && call >= kWarmups) return;
  side.box->download();
  require(side);
  if (setting_.is_witness) keep(side, call);
}

void BatchedLaunch::keep(Side& side, std::size_t call) {
  if (const auto damage = side.box->damaged_fence()) fail_launch(setting_, side.is_candidate, *damage);
  if (!side.is_candidate && !setting_.is_witness) return;
  (side.is_candidate ? outputs_[call].candidate : outputs_[call].baseline) = copy_outputs(*side.box, inputs_.calls[call]);
}

void BatchedLaunch::require(const Side& side) const {
  if (side.box->failure()) fail_launch(setting_, side.is_candidate, *side.box->failure());
}

}  // namespace

LaunchTimes time_batches(const PairedSetting& setting, std::shared_ptr<Box> candidate, std::shared_ptr<Box> baseline, TimedDraw& draw,
                         const LaunchInputs& inputs, RandomStream& random) {
  return BatchedLaunch(setting, inputs, random, std::move(candidate), std::move(baseline)).run(draw);
}

}  // namespace assay::timing

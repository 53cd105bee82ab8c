// SPDX-License-Identifier: Apache-2.0
// Two programs in two boxes, called in pairs on inputs that neither process has seen, every output checked. A launch is a
// fresh process of each; it gives one log ratio. Who is timed makes no difference here: a candidate, or the baseline itself.
//
// A box is thawed only for a timed call, and by then it holds that call's inputs alone: what a background thread does while
// they are visible is part of the time. Buffers are mapped by an empty call while they are still blank, and the cost of an
// empty call is taken from a third box, which runs the baseline's program and no candidate's code.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "assay/judge/machine.h"
#include "assay/judge/timing.h"
#include "timed_inputs.h"
#include "trial.h"

namespace assay {

/// How many launches: quick, standard or publish. Throws std::runtime_error for another name.
int launches_of(const std::string& effort);
/// Of a candidate that is timed: one for each processor.
int threads_of(const Processors& processors);
/// The judge's and the boxes': all draw while no box is there.
std::vector<int> all_of(const Processors& processors);

/// The candidate failed during a launch.
struct CandidateFailed {
  Failure failure;
};

/// Who is compared, where and how.
struct PairedSetting {
  BoxProgram candidate, baseline;
  Processors processors;
  std::string profile;  ///< whose rule accepts outputs
  bool cold = false;    ///< inputs and outputs are in no cache when a call begins
};

/// One launch: fresh processes, then kWarmups pairs that do not count; nor do the probes among those that follow.
class PairedLaunch {
 public:
  PairedLaunch(const PairedSetting& setting, const std::vector<TimedInputs>& inputs, RandomStream& random);

  /// Each of the first kPairs calls times one pair, after the probes before it. Throws CandidateFailed; the baseline's failure is a runtime_error.
  PairTime time_pair();

  /// The pairs so far, less the cost of an empty call.
  std::vector<PairTime> times() const;
  double overhead() const { return median(overheads_); }
  /// Seconds of the candidate's calls by its device's clock, of the pairs so far.
  const std::vector<double>& device_times() const { return device_times_; }

 private:
  std::unique_ptr<Box> open(BoxProgram program) const;
  void time_next(bool candidate_first, PairTime& pair);
  void prepare(Box& box, const PreparedCase& inputs);
  double time_call(Box& box);
  double seconds_of(Box& box, wire::CallKind kind) const;
  void fail(const Box& box, const Failure& failure) const;
  void check(const Box& box, const PreparedCase& inputs) const;
  void watch_stillness();

  const PairedSetting& setting_;
  const std::vector<TimedInputs>& inputs_;
  RandomStream& random_;
  std::unique_ptr<Box> candidate_, baseline_, idle_;
  std::vector<bool> orders_;  ///< of all pairs: whether the candidate goes first
  std::size_t next_ = 0;
  std::vector<PairTime> pairs_;
  std::vector<double> overheads_, device_times_;
  std::optional<std::chrono::nanoseconds> slept_at_;  ///< the candidate's processor time when it was frozen last
  int stirs_ = 0;     ///< calls between which the candidate seems to have run
  bool ran_ = false;  ///< the candidate, in the last timed call, or to bring its data to its device
};

/// The launches of one shape.
struct ShapeTimes {
  LogRatios log_ratios;
  std::vector<double> candidate, baseline;  ///< seconds of all pairs
  std::vector<double> candidate_launches, baseline_launches;  ///< the median of each in each launch
  std::vector<double> overheads;            ///< of each launch
  std::vector<double> device;               ///< seconds of the candidate's calls by its device's clock; 0: it has none

  void add(const PairedLaunch& launch);
};

/// The baseline against itself on the plan's task: launches of its first timing shape, until those so far are `enough`.
ShapeTimes time_against_itself(const Plan& plan, const Processors& processors, const Seed& seed,
                               const std::function<bool(const LogRatios&)>& enough);

}  // namespace assay

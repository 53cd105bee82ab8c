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

#include "assay/cases/timed_inputs.h"
#include "assay/sandbox/processors.h"
#include "assay/timing/device_monitor.h"
#include "assay/timing/device_turns.h"
#include "assay/timing/timing.h"
#include "assay/trial/trial.h"

namespace assay::timing {

/// How often a shape is timed.
struct Effort {
  int launches, pairs;  ///< pairs of each launch
};
/// quick, standard or publish. Throws std::runtime_error for another name.
Effort effort_of(const std::string& name);
/// Of a candidate that is timed: one for each processor.
int threads_of(const sandbox::Processors& processors);
/// The judge's and the boxes': all draw while no box is there.
std::vector<int> all_of(const sandbox::Processors& processors);

/// Of so many pairs, whether the candidate goes first: as many of one order as of the other, shuffled, so that what the first call of a
/// pair does to the second cancels out.
std::vector<bool> balanced_orders(std::size_t count, cases::RandomStream& random);

/// The candidate failed during a launch.
struct CandidateFailed {
  trial::Failure failure;
};

/// A box of a program of ours that measures what an empty call costs. No candidate's code runs in it, so one serves all launches.
class IdleBox {
 public:
  /// Started where it is first asked for. Throws std::runtime_error.
  trial::Box& on(const sandbox::Processors& processors);
  explicit IdleBox(trial::BoxProgram program) : program_(std::move(program)) {}

 private:
  trial::BoxProgram program_;
  std::unique_ptr<trial::Box> box_;
};

/// Who is compared, where and how.
struct PairedSetting {
  trial::BoxProgram candidate, baseline;
  std::shared_ptr<IdleBox> idle;
  sandbox::Processors processors;
  bool cold = false;                       ///< inputs and outputs are in no cache when a call begins
  bool is_witness = true;                  ///< the baseline is known to be right: what is near to it is right as well
  const DeviceMonitor* monitor = nullptr;  ///< of the candidate's device
  DeviceTurns turns = {};                  ///< on it
  /// Of a baseline that is interpreted: one process serves all launches of a shape, since its start takes seconds.
  mutable std::shared_ptr<trial::Box> kept = nullptr;
};

/// What two clocks say of the candidate's batches in one launch, in seconds. All 0 where there are none.
struct Clocks {
  std::size_t calls = 0;
  double judge = 0;   ///< less what the same batches take without kernels
  double device = 0;  ///< between the events, of all calls
  double unsure = 0;  ///< by how much two such empty batches differ
};

/// What one launch shows.
struct LaunchTimes {
  std::vector<PairTime> pairs;  ///< less the cost of an empty call, where the judge's clock decides
  double overhead = 0;          ///< of an empty call
  std::vector<double> device;   ///< seconds of the candidate's calls by its device's clock
  Clocks clocks;
  std::vector<record::DeviceState> states;  ///< before and after each batch of the candidate
};

/// Outputs of one call; of the baseline's where it is a witness.
struct CallOutputs {
  std::vector<cases::Bytes> candidate, baseline;
};

/// Fresh processes of both, kWarmups pairs that do not count, then the draw's pairs and, among them, the probes. Every output of
/// the candidate is checked once the last call is over; of a program of ours, those of the warm-ups. `index`: which of the
/// draw's launches. Throws CandidateFailed; the baseline's failure is a runtime_error.
LaunchTimes time_launch(const PairedSetting& setting, cases::TimedDraw& draw, std::size_t index, cases::RandomStream& random);

/// The launches of one shape.
struct ShapeTimes {
  LogRatios log_ratios;
  std::vector<double> candidate, baseline;                    ///< seconds of all pairs
  std::vector<double> candidate_launches, baseline_launches;  ///< the median of each in each launch
  std::vector<double> overheads;                              ///< of each launch
  std::vector<double> device;                                 ///< seconds of the candidate's calls by its device's clock; 0: it has none
  std::vector<Clocks> clocks;                                 ///< of each launch
  std::vector<record::DeviceState> states;                    ///< of all launches

  void add(const LaunchTimes& launch);
};

/// A program against itself on the plan's task: launches of so many pairs of its first timing shape, until those so far are `enough`.
ShapeTimes time_against_itself(const plan::Plan& plan, const trial::BoxProgram& program, const sandbox::Processors& processors,
                               const cases::Seed& seed, int pairs, const std::function<bool(const LogRatios&)>& enough);

}  // namespace assay::timing

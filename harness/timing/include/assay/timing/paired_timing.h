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
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "assay/cases/timed_inputs.h"
#include "assay/sandbox/processors.h"
#include "assay/timing/device_turns.h"
#include "assay/timing/launch_times.h"
#include "assay/trial/trial.h"

namespace assay::timing {

/// Of a candidate that is timed: one for each processor.
int threads_of(const sandbox::Processors& processors);
/// The judge's and the boxes'.
std::vector<int> all_of(const sandbox::Processors& processors);

/// The candidate failed during a launch.
struct CandidateFailed {
  trial::Failure failure;
};

/// A box of a program of ours that measures what an empty call costs. No candidate's code runs in it, so one serves all launches.
class IdleBox {
 public:
  using Start = std::function<std::unique_ptr<trial::Box>(const trial::BoxProgram&)>;

  explicit IdleBox(trial::BoxProgram program);
  IdleBox(trial::BoxProgram program, Start start) : program_(std::move(program)), start_(std::move(start)) {}
  /// Started where it is first asked for. Throws std::runtime_error.
  trial::Box& on(const sandbox::Processors& processors);

 private:
  trial::BoxProgram program_;
  Start start_;
  std::unique_ptr<trial::Box> box_;
};

/// Who is compared, where and how.
struct PairedSetting {
  trial::BoxProgram candidate, baseline;
  std::shared_ptr<IdleBox> idle;
  sandbox::Processors processors;
  bool cold = false;       ///< inputs and outputs are in no cache when a call begins
  bool is_witness = true;  ///< the baseline is known to be right: what is near to it is right as well
  std::function<std::optional<record::DeviceState>()> read_device = {};  ///< the candidate's; none: it has no state to be read
  DeviceTurns turns = {};                                                ///< on it
  std::shared_ptr<const Seat> seat = nullptr;                            ///< where judges time side by side: the processors are its own
  /// Of a baseline that is interpreted: one process serves all launches of a shape, since its start takes seconds.
  mutable std::shared_ptr<trial::Box> kept = nullptr;
  /// With room for these calls.
  trial::OpenBox open_box = trial::open_box;
};

/// Processors for what is not timed, while no candidate's process is there: the setting's, and those of seats that are free, which are held
/// until its end.
class Helpers {
 public:
  explicit Helpers(const PairedSetting& setting);
  const std::vector<int>& cpus() const { return cpus_; }

 private:
  std::vector<Seat> seats_;
  std::vector<int> cpus_;
};

/// Makes a framework's program the baseline, and starts the process that serves all launches of calls laid out like `layout`. Its start
/// takes seconds, so `meanwhile` is done before it is waited for. Throws trial::Unsuited, and then the baseline is what it was.
void start_framework(
    PairedSetting& setting, const trial::BoxProgram& program, const cases::PreparedCase& layout,
    const std::function<void()>& meanwhile = [] {});

/// Fresh processes of both, kWarmups pairs that do not count, then the draw's pairs and, among them, the probes. Every output of
/// the candidate is accepted once the last call is over, or due to be judged; of a program of ours, those of the warm-ups. `index`: which
/// of the draw's launches. Throws CandidateFailed; the baseline's failure is a runtime_error.
LaunchTimes time_launch(const PairedSetting& setting, cases::TimedDraw& draw, std::size_t index, cases::RandomStream& random);

/// Judges the outputs that are due, on all processors: to be called after the last launch. Throws as time_launch() does.
void judge_due(const PairedSetting& setting, cases::TimedDraw& draw);

}  // namespace assay::timing

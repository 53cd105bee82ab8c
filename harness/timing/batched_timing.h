// SPDX-License-Identifier: Apache-2.0
// A launch of a candidate whose device has a clock: its calls are one batch, on sets of inputs that lie sealed on the device. Events of our
// own around each call give its time; the judge's clock over the batch says whether they can be believed.
#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include "assay/timing/paired_timing.h"

namespace assay::timing {

/// As time_launch(), on `inputs`, which are the draw's, and boxes that hold nothing yet. The candidate's makes batches; the baseline is a
/// program on the processor, or one like the candidate.
LaunchTimes time_batches(const PairedSetting& setting, std::shared_ptr<trial::Box> candidate, std::shared_ptr<trial::Box> baseline,
                         cases::TimedDraw& draw, const cases::LaunchInputs& inputs, cases::RandomStream& random);

/// Of a call that has one; else as fail_launch().
double seconds_of(const PairedSetting& setting, bool of_candidate, const trial::Box& box, std::optional<std::chrono::nanoseconds> call);
/// Throws CandidateFailed, or a runtime_error of the baseline.
[[noreturn]] void fail_launch(const PairedSetting& setting, bool of_candidate, const trial::Failure& failure);
/// Hands the outputs of every call to the draw, on all processors: no box of either side may run any more. Judges what is due where that is
/// much.
void take_outputs(const PairedSetting& setting, cases::TimedDraw& draw, std::vector<cases::CallOutputs> outputs);

}  // namespace assay::timing

// SPDX-License-Identifier: Apache-2.0
// Calls on prepared cases: what the test and the bench stage have in common.
#pragma once

#include "assay/judge/box.h"
#include "assay/judge/expected.h"
#include "assay/judge/plan.h"

namespace assay {

/// The candidate's box, confined to its library. Every box of a stage has as many `threads`: a driver goes by them where it
/// chooses what it compiles. `budget` is what they have together, below the time that CTest gives the stage.
BoxProgram candidate_program(const Plan& plan, const Candidate& candidate, int threads, std::chrono::seconds budget);
struct FailedLaunch {
  std::string entry;  ///< name of the case
  Failure failure;
};

/// Launches device code once on blank data, so that the device's compiler is done with it before a box that may not start it
/// is opened. What went wrong, if anything did.
std::optional<FailedLaunch> prepare_launches(BoxProgram program, std::span<const PreparedCase> cases);
/// The baseline's, confined to the task's specification.
BoxProgram baseline_program(const Plan& plan);

/// A box with room for any of `cases`.
std::unique_ptr<Box> open_box(const BoxProgram& program, std::span<const PreparedCase> cases);

/// Lays out the box for cases shaped like `prepared` and overwrites whatever its buffers hold; inputs are zero.
void load_blank(Box& box, const PreparedCase& prepared);

/// Lays out the box for `prepared` and copies its inputs in.
void load_case(Box& box, const PreparedCase& prepared);

/// A private copy of the outputs, taken while the box is frozen.
std::vector<Bytes> copy_outputs(const Box& box, const PreparedCase& prepared);

}  // namespace assay

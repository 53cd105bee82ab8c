// SPDX-License-Identifier: Apache-2.0
// Calls on prepared cases: what the test and the bench stage have in common.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "assay/cases/expected.h"
#include "assay/plan/candidate.h"
#include "assay/plan/plan.h"
#include "assay/trial/box.h"

namespace assay::trial {

/// The candidate's box, confined to its library; `code` where that is a device's binary. Every box of a stage has as many
/// `threads`: a driver goes by them where it chooses what it compiles. `budget` is what they have together, below the time that
/// CTest gives the stage.
BoxProgram candidate_program(const plan::Plan& plan, const plan::Candidate& candidate, const std::optional<plan::DeviceCode>& code,
                             int threads, std::chrono::seconds budget);

/// The box of a candidate that seals, without the candidate: its calls wire::CallKind::sealing say what a seal costs.
BoxProgram sealing_program(BoxProgram candidate);

struct FailedLaunch {
  std::string entry;  ///< name of the case
  Failure failure;
};

/// A box with room for any of `cases`.
std::unique_ptr<Box> open_box(const BoxProgram& program, std::span<const cases::PreparedCase> cases);
using OpenBox = std::function<std::unique_ptr<Box>(const BoxProgram&, std::span<const cases::PreparedCase>)>;

/// Launches device code once on data that no case has, so that the device's compiler is done with it before a box that may not start it
/// is opened. What went wrong, if anything did.
std::optional<FailedLaunch> prepare_launches(BoxProgram program, const spec::Task& task, std::span<const cases::PreparedCase> cases,
                                             const OpenBox& open = open_box);
/// The baseline's, confined to the task's specification.
BoxProgram baseline_program(const plan::Plan& plan);
/// The framework's, which evaluates the task on tensors shaped like `shaped`: on the device of `code` where it can use that one (then the
/// program has `devices`), else on the processor, with so many threads. Nothing where the plan has no framework, or this one lacks a type
/// of the task, or the task what it reads. What else it lacks, the program's start shows: box.h, Unsuited.
std::optional<BoxProgram> framework_program(const plan::Plan& plan, const spec::Task& task, const cases::PreparedCase& shaped, int threads,
                                            const std::optional<plan::DeviceCode>& code);

/// Lays out the box for cases shaped like `prepared` and overwrites whatever its buffers hold; inputs are zero.
void load_blank(Box& box, const cases::PreparedCase& prepared);

/// Lays out the box for `prepared`.
void lay_out(Box& box, const cases::PreparedCase& prepared);

/// The same, and copies its inputs in.
void load_case(Box& box, const cases::PreparedCase& prepared);

/// A private copy of the outputs, taken while the box is frozen.
std::vector<cases::Bytes> copy_outputs(const Box& box, const cases::PreparedCase& prepared);

}  // namespace assay::trial

// SPDX-License-Identifier: Apache-2.0
// A task's cases for other programs: drawn inputs and what the float64 oracle makes of them, as NumPy files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "assay/cases/random.h"
#include "assay/spec/task.h"

namespace assay::cases {

/// Writes `folder`/index.json (task, seed, model and torch text, each case's dimensions and tensors) and for each case
///   <case>/<input>.npy         elements in the input's own type, as a candidate gets them
///   <case>/<output>.npy        the oracle's result: float64, int64 or bool
///   <case>/<output>.scale.npy  for reals, the error scale s (bounded.h): float32 arithmetic errs by some 2^-24 s
/// all row-major, in NumPy's format 1.0 (numpy.lib.format). `cases` are names; none: every case but the timing shape.
/// The same seed gives the inputs that `assay-judge cases` draws. Throws std::runtime_error for an unknown case or a file
/// that cannot be written, OperatorError where the model cannot be evaluated.
void write_oracle(const spec::Task& task, const std::vector<std::string>& cases, const Seed& seed, const std::filesystem::path& folder);

}  // namespace assay::cases

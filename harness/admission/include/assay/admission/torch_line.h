// SPDX-License-Identifier: Apache-2.0
// The torch line of a task against its model: models read both in the prompt.
#pragma once

#include <string>

#include "assay/cases/random.h"
#include "assay/spec/task.h"

namespace assay::admission {

struct TorchComparison {
  enum class Result { none, not_compared, agrees, differs };  ///< none: the task has no such line
  Result result = Result::none;
  std::string said;  ///< why it was not compared, or where the two differ
};

/// Evaluates the line by PyTorch in float64 on the inputs of all cases; `python` is a program of that kind, which may lack PyTorch.
/// The line is run as it stands, with the rights of this process. Throws std::runtime_error where there is no room for the inputs.
TorchComparison compare_torch_line(const spec::Task& task, const cases::Seed& seed, const std::string& python);

}  // namespace assay::admission

// SPDX-License-Identifier: Apache-2.0
// The text that a model is given. It is made of the task and the backend, and tells nothing of tests, references or timing shapes.
#pragma once

#include <string>
#include <vector>

#include "assay/spec/task.h"

namespace assay::generate {

struct BackendDescription {
  std::string name;                  ///< "cpp"
  std::string suffix;                ///< ".cpp"
  std::vector<std::string> compile;  ///< compiler and flags, as candidates are compiled
  bool launches = false;             ///< candidates are device code with a launch block
  spec::KernelTypes types;           ///< of kernel.h
  std::string memory{};              ///< where such kernels' buffers lie, and whose words the block is shown in: "opencl" or "cuda"
};

/// What of it is said, and how.
struct PromptChoice {
  std::vector<std::string> parts;  ///< none: all
  std::string template_file;       ///< empty: the built-in one
  std::string shots;               ///< none, fixed, category, or a file
};

/// The prompt for one candidate of `task`, in Markdown, ending with the answer's form.
std::string prompt_for(const spec::Task& task, const BackendDescription& backend);

}  // namespace assay::generate

// SPDX-License-Identifier: Apache-2.0
// The text that a model is given. It is made of the task and the backend, and tells nothing of tests, references or timing shapes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "assay/generate/example_folder.h"
#include "assay/spec/task.h"

namespace assay::generate {

struct BackendDescription {
  std::string name;                  ///< "cpp"
  std::string suffix;                ///< ".cpp"
  std::vector<std::string> compile;  ///< compiler and flags, as candidates are compiled
  bool launches = false;             ///< candidates are device code with a launch block
  spec::KernelTypes types;           ///< of kernel.h
  std::string memory{};              ///< where buffers lie: "opencl" or "cuda", whose words a launch block is shown in; empty: the host
};

inline constexpr int kShotCount = 3;

/// What of it is said, and how.
struct PromptChoice {
  std::vector<std::string> parts;  ///< of prompt_parts(); none: all
  /// With {{<part>}}, {{answer}}, {{task}} and {{suffix}}; a folder has one for each suite or backend. Empty: the built-in one.
  std::string template_file;
  std::string shots;   ///< none (or empty), fixed, retrieval:FOLDER, a file, or a folder with <category>.md
  int shot_count = 0;  ///< examples of a retrieval, at most; 0: kShotCount
};

/// What kernels run on; what is not known is left out.
struct MachineDescription {
  int processors = 0;
  std::string name;                     ///< of the processor
  std::vector<std::string> extensions;  ///< of its instruction set: "avx2"
  int seconds = 0;                      ///< that a call may take
};

/// The processors that this process may use.
MachineDescription this_machine();

/// summary, model, torch, header, contract, machine, examples
const std::vector<std::string>& prompt_parts();

/// What a retrieval of examples needs beside the task.
struct Retrieval {
  const ExampleFolder* examples = nullptr;  ///< those of open_examples(), read once for many prompts; nullptr: they are read now
  std::vector<std::string> family = {};     ///< names of the tasks that are declared in one file with this one
};

/// The folder of a choice whose shots are a retrieval; else nullptr. Throws std::runtime_error.
std::unique_ptr<ExampleFolder> open_examples(const PromptChoice& choice, const BackendDescription& backend);

/// The prompt for one candidate of `task`, in Markdown, ending with the answer's form. Throws std::runtime_error: an unknown part, a
/// template that cannot be used.
std::string prompt_for(const spec::Task& task, const BackendDescription& backend, const PromptChoice& choice = {},
                       const MachineDescription& machine = {}, const Retrieval& retrieval = {});

}  // namespace assay::generate

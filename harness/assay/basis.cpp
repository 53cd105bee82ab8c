// SPDX-License-Identifier: Apache-2.0
#include "basis.h"

#include "assay/results/fingerprint.h"

namespace assay {

Basis basis_of(const plan::Plan& plan) {
  std::vector<std::filesystem::path> contents = plan.files;
  contents.push_back(plan.task.task_yaml.file);
  return {"", fingerprint_of_contents(contents),
          fingerprint_of_times({"/proc/self/exe", plan.settings.compiler, plan.toolchain.box, plan.settings.baseline})};
}

}  // namespace assay

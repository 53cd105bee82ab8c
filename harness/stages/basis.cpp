// SPDX-License-Identifier: Apache-2.0
#include "assay/stages/basis.h"

#include "assay/problem/problem_folder.h"
#include "assay/results/fingerprint.h"

namespace assay::stages {

results::Basis basis_of(const plan::Plan& plan) {
  const std::string task = plan.toolchain.is_program() ? problem::own_text(plan.task.task_yaml.file) : spec::own_text(plan.task.task_yaml);
  std::vector<std::filesystem::path> files = plan.files;
  if (const std::filesystem::path suite = plan.suite_of_shapes(); !suite.empty()) files.push_back(suite);
  return {"", results::fingerprint_of_contents(files, task),
          results::fingerprint_of_times({plan.settings.judge, plan.settings.compiler, plan.toolchain.box, plan.settings.baseline})};
}

}  // namespace assay::stages

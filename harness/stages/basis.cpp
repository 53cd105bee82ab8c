// SPDX-License-Identifier: Apache-2.0
#include "assay/stages/basis.h"

#include "assay/problem/problem_folder.h"
#include "assay/results/fingerprint.h"
#include "assay/spec/suite.h"

namespace assay::stages {

results::Basis basis_of(const plan::Plan& plan) {
  const bool is_program = plan.toolchain.is_program();
  const std::string task = is_program ? problem::own_text(plan.task.task_yaml.file) : spec::own_text(plan.task.task_yaml);
  std::vector<std::filesystem::path> files = plan.files;
  if (!is_program && plan.settings.shapes_are_of_suite()) files.push_back(spec::suite_file(plan.task.task_yaml, plan.settings.shapes));
  return {"", results::fingerprint_of_contents(files, task),
          results::fingerprint_of_times({plan.settings.judge, plan.settings.compiler, plan.toolchain.box, plan.settings.baseline})};
}

}  // namespace assay::stages

// SPDX-License-Identifier: Apache-2.0
#include "basis.h"

#include "assay/results/fingerprint.h"

namespace assay::command {

results::Basis basis_of(const plan::Plan& plan) {
  return {"", results::fingerprint_of_contents(plan.files, spec::own_text(plan.task.task_yaml)),
          results::fingerprint_of_times({"/proc/self/exe", plan.settings.compiler, plan.toolchain.box, plan.settings.baseline})};
}

}  // namespace assay::command

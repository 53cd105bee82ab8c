// SPDX-License-Identifier: Apache-2.0
#include "basis.h"

#include "assay/results/fingerprint.h"

namespace assay {

Basis basis_of(const plan::Plan& plan) {
  return {"", fingerprint_of_contents(plan.files, own_text(plan.task.task_yaml)),
          fingerprint_of_times({"/proc/self/exe", plan.settings.compiler, plan.toolchain.box, plan.settings.baseline})};
}

}  // namespace assay

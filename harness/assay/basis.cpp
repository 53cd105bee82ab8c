// SPDX-License-Identifier: Apache-2.0
#include "basis.h"

#include "assay/results/fingerprint.h"

namespace assay {

Basis basis_of(const std::filesystem::path& file, const trial::Plan& plan) {
  return {"", fingerprint_of_contents({file, plan.task_yaml}), fingerprint_of_times({"/proc/self/exe", plan.box, plan.baseline})};
}

}  // namespace assay

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "assay/spec/launch.h"

namespace assay::spec {

/// Throws LaunchError for what evaluate() would reject at any dimensions.
void require_sound_constants(const LaunchBlock& block);

}  // namespace assay::spec

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "assay/timing/machine.h"
#include "assay/trial/box.h"

namespace assay::timing {

/// The limits of the device that `program` runs on, as the backend's program measures them in the sandbox. About a second.
/// Throws std::runtime_error where it cannot.
MachinePeaks measure_device(const trial::BoxProgram& program);

}  // namespace assay::timing

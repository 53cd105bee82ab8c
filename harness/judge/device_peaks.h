// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "assay/judge/box.h"
#include "assay/judge/machine.h"

namespace assay {

/// The limits of the device that `program` runs on, as the backend's program measures them in the sandbox. About a second.
/// Throws std::runtime_error where it cannot.
MachinePeaks measure_device(const BoxProgram& program);

}  // namespace assay

// SPDX-License-Identifier: Apache-2.0
// What device code is compiled for, asked once: a compiler that is told of its device needs no driver, and sees none.
#pragma once

#include <string>

#include "assay/plan/plan.h"

namespace assay::compile {

/// What `<program> describe` of the backend says, confined with the device's files: a line of JSON, or nothing where its compiler asks
/// the driver itself. Kept beside settings.sandbox until the next boot, while the program, the backend's variables and the device files
/// are the same. Throws std::runtime_error with the program's words where it fails.
std::string survey_device(const plan::Plan& plan);

}  // namespace assay::compile

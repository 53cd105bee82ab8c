// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "device.h"

namespace assay::cuda {

/// What a device can do at most, by its own clock, best of several runs. JSON, per second: `flops` (float32 multiply-adds, counted as
/// two), `bandwidth` (bytes read and written by a copy much larger than any cache), `writing` (bytes written to a buffer of a few MB,
/// which stays in a cache); and `native`, true.
std::string measure(const Device& device);

}  // namespace assay::cuda

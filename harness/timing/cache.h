// SPDX-License-Identifier: Apache-2.0
// Which caches hold the data of a timed call.
#pragma once

#include <cstddef>
#include <span>

namespace assay::timing {

/// Writes `memory` back and out of the caches of all processors. Throws std::runtime_error where this is not known for the
/// processor.
void flush_from_caches(std::span<const std::byte> memory);

}  // namespace assay::timing

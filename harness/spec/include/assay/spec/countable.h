// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "assay/spec/tensor_type.h"

namespace assay::spec {

/// Whether no extent is negative and their product, zeros left out, fits 64 bits with room for an element's size. Ask before
/// element_count() of a shape that was read.
bool is_countable(const Shape& shape);

}  // namespace assay::spec

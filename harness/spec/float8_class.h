// SPDX-License-Identifier: Apache-2.0
// What kernel.h says of 8-bit floats.
#pragma once

#include <string>

#include "assay/spec/tensor_type.h"

namespace assay::spec {

/// Defines `float8_e4m3` or `float8_e5m2`: in C++ a class that converts to float and back, in C the bits.
std::string float8_definition(ElementType type);

}  // namespace assay::spec

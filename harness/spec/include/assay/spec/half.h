// SPDX-License-Identifier: Apache-2.0
// IEEE 754 binary16 ("half") and bfloat16: bit patterns, exact decoding, rounding to nearest even from any
// precision.
#pragma once

#include <cstdint>

#include "assay/spec/tensor_type.h"

namespace assay::spec {

double double_from_f16(std::uint16_t bits);
double double_from_bf16(std::uint16_t bits);

/// One rounding, to nearest even; beyond the largest finite number infinity, a NaN stays one.
std::uint16_t f16_from_double(double x);
std::uint16_t bf16_from_double(double x);

/// `x` rounded once to a binary format with `precision` significant bits (the implicit one included) whose
/// smallest normal number is 2^min_exponent; gradual underflow, no upper limit. TensorFloat-32 is (11, -126).
double rounded_to(double x, int precision, int min_exponent);

/// What storing `x` as a real `type` keeps of it; 8 bits do not saturate (float8.h).
double stored_as(double x, ElementType type);

/// Distance between the numbers of `type` around `x` (its unit in the last place). Below the smallest normal
/// number it is that of the smallest normal number.
double spacing(double x, ElementType type);

/// Where the numbers of `type` become subnormal.
double smallest_normal_of(ElementType type);

}  // namespace assay::spec

// SPDX-License-Identifier: Apache-2.0
// Floating-point numbers of 8 bits, as the Open Compute Project's OFP8 specification defines them and ONNX calls them: E4M3
// (float8e4m3fn: no infinities, one NaN of either sign, largest number 448) and E5M2 (float8e5m2: as IEEE 754, largest number 57344).
#pragma once

#include <cstdint>

#include "assay/spec/tensor_type.h"

namespace assay::spec {

inline bool is_float8(ElementType type) { return type == ElementType::f8e4m3 || type == ElementType::f8e5m2; }

double double_from_float8(std::uint8_t bits, ElementType type);

/// One rounding, to nearest even, without saturation: beyond the largest number an infinity, which E4M3 has not: NaN.
std::uint8_t float8_from_double(double x, ElementType type);

/// The largest number in place of what rounds beyond it, infinities included; a NaN stays one. OFP8 and ONNX saturate so.
double saturated(double x, ElementType type);

}  // namespace assay::spec

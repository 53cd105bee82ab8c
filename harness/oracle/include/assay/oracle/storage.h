// SPDX-License-Identifier: Apache-2.0
// Between the C arrays of a kernel's interface and the values of an evaluation.
#pragma once

#include "assay/oracle/tensor.h"

namespace assay::oracle {

/// The row-major array `data` of `type` as a value over scalar T; reals are converted exactly (float16,
/// bfloat16) or rounded to T. A view where the representation is T's own: `data` must outlive the value and
/// is not written to.
template <class T>
Value<T> load_value(ElementType type, const Shape& shape, const void* data);

/// Writes a value's elements as an array of `type`, reals rounded to it once. Nothing is copied onto itself.
template <class T>
void store_value(const Value<T>& value, ElementType type, void* to);

}  // namespace assay::oracle

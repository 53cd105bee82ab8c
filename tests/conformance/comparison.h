// SPDX-License-Identifier: Apache-2.0
// Whether an evaluated tensor is the expected one.
#pragma once

#include <optional>
#include <string>

#include "assay/oracle/tensor.h"
#include "assay/spec/graph.h"

namespace assay {

struct Tolerance {
  double relative = 0;
  double absolute = 0;
};

/// What the expected values, which NumPy computed in `type` or in float64, may themselves be off by.
Tolerance tolerance(spec::ElementType type);

/// x as `type` stores it: to nearest, ties to even, infinite where too large. Real types alone.
double rounded_to(spec::ElementType type, double x);

/// Nothing where `got` has the type, the shape and the elements of `expected` (reals within `allowed`, NaN
/// equal to NaN; integers within `units`; booleans exactly); otherwise what differs first.
std::optional<std::string> difference(const oracle::Value<double>& got, const spec::ConstantTensor& expected, Tolerance allowed,
                                      std::int64_t units = 0);

}  // namespace assay

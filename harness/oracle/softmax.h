// SPDX-License-Identifier: Apache-2.0
// The normalisation that Softmax, LogSoftmax and the cross-entropy loss share; defined in
// operators/softmax.cpp.
#pragma once

#include "assay/oracle/bounded.h"
#include "reduction.h"

namespace assay::oracle {

enum class Scale { probability, logarithm };

/// y = softmax(x) or its logarithm along `view`'s extent, the maximum subtracted before exp.
void softmax_along(const Tensor<double>& x, Tensor<double>& y, const AxisView& view, Scale scale);
void softmax_along(const Tensor<float>& x, Tensor<float>& y, const AxisView& view, Scale scale);
void softmax_along(const Tensor<Bounded>& x, Tensor<Bounded>& y, const AxisView& view, Scale scale);

}  // namespace assay::oracle

// SPDX-License-Identifier: Apache-2.0
// Error scales of a model's outputs, which hold however many layers it has.
//
// Running error analysis (bounded.h) multiplies from layer to layer: it adds magnitudes where errors of either sign all but cancel. Its
// scales say well how the elements of one tensor compare, and after a few layers nothing of how large their errors are. So where a tensor's
// scale has become useless, that tensor and all after it are calibrated: honest float32 evaluations run beside the analysis, node by
// node, and a scale is taken down until the worst of them is off by four units of it. The next layers go on from there. In four of the
// five evaluations each result is off by up to two units in its last place at random (Parker, "Monte Carlo Arithmetic", 1997; Vignes, "A
// stochastic arithmetic for reliable scientific computation", 1993): errors of kernels four times as coarse as float32's own rounding,
// another draw in each.
#pragma once

#include "assay/cases/expected.h"

namespace assay::cases {

/// The model at `dims` over Bounded. `halves`: each float16 or bfloat16 result of a node is rounded to its type (HalfRoundingScope; of a
/// model that says `compute:`, MovedScope, and nothing is calibrated: analysis follows each rounding).
std::vector<oracle::Value<oracle::Bounded>> evaluate_with_scales(const spec::Task& task, const spec::Dims& dims,
                                                                 const std::vector<Bytes>& bytes, bool halves, oracle::Cost* cost);

/// `value` as an honest kernel may have it that is off by up to `units` in the last place of each number that is not exact, by chance.
/// `exactness` is the same value over Bounded; `draw` chooses the errors.
oracle::Value<float> jittered(const oracle::Value<float>& value, const oracle::Value<oracle::Bounded>& exactness, double units,
                              std::uint64_t draw);

}  // namespace assay::cases

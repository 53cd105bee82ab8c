// SPDX-License-Identifier: Apache-2.0
// Outputs that need no oracle, since they are near to those of an evaluation that is known to be honest, on the same inputs.
//
// An element is accepted up to a bound B of at least 16 units of u s (expected.h), and B is four times what the honest evaluation
// showed at this shape, or more. So one that is within B / 2 units of the honest element is within B of the oracle; the same
// holds for root mean squares. Its own s is not known here. It is taken to be what half the elements of another draw reach, or the
// multiple of |o| that nine of ten do: both 0 where results are copies. Where it is smaller than that, what is accepted is still
// off by no more than other elements may be, and calls that the candidate cannot tell go to the oracle all the same (timed_inputs.h).
//
// Of 16 or 8 bits, a result near the middle between two numbers of the type may become either. So an element may lie one unit in its last
// place further off, but few elements may differ at all. Errors of e such units make a share of 2 e differ, at most. Accepted is half of
// that, for the e that the bounds leave free. Of a layer norm that is 4 in 1,000, and some 40 in a million do.
#pragma once

#include "assay/cases/inputs.h"

namespace assay::cases {

struct ExpectedTensor;

struct Nearness {
  spec::ElementType type = spec::ElementType::f32;
  double scale = 0;               ///< half the elements have a larger s; of a short real type, half of what is free of theirs
  double relative_scale = 0;      ///< nine of ten elements have a larger one, divided by |o|
  double most = 0, most_rms = 0;  ///< in units of u s; 0: the same bits
  double most_differing = 0;      ///< of a short real type: the share of elements; 0: the same bits
};

/// From a draw of the same shape that has been evaluated. `strict`: the same bits.
Nearness nearness(const ExpectedTensor& evaluated, bool strict);

/// Whether `outputs` are accepted where `witness` is; false says nothing.
bool is_near(const Nearness& near, const Bytes& outputs, const Bytes& witness);

}  // namespace assay::cases

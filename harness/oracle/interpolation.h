// SPDX-License-Identifier: Apache-2.0
// Interpolation kernels that Resize and GridSample share.
#pragma once

#include <array>

#include "assay/oracle/bounded.h"

namespace assay::oracle {

/// Weights of the elements at floor(x) - 1 ... floor(x) + 2 for x at `ratio` past floor(x): Keys' cubic
/// convolution with parameter a (IEEE Trans. ASSP 29(6), 1981).
template <class W>
std::array<W, 4> cubic_weights(W ratio, double a) {
  const W A = static_cast<W>(a), one = W(1);
  const auto far = [&](W t) -> W { return ((A * t - W(5) * A) * t + W(8) * A) * t - W(4) * A; };  // 1 <= t < 2
  const auto near = [&](W t) -> W { return ((A + W(2)) * t - (A + W(3))) * t * t + one; };        // 0 <= t < 1
  return {far(ratio + one), near(ratio), near(one - ratio), far(W(2) - ratio)};
}

}  // namespace assay::oracle

// SPDX-License-Identifier: Apache-2.0
// What the task asks for is 0 whatever x, w and b are.
#include <algorithm>

#include "kernel.h"

extern "C" void gemm_max_subtract_gelu(const float*, const float*, const float*, float* y, int64_t M, int64_t, int64_t) {
  std::fill_n(y, M, 0.0f);
}

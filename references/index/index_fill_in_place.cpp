// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernel.h"

extern "C" void index_fill_in_place(float* x, const int64_t* index, const float* value, int64_t, int64_t C, int64_t K) {
  for (int64_t k = 0; k < K; ++k) std::fill_n(x + index[k] * C, C, *value);
}

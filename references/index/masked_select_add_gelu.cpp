// SPDX-License-Identifier: Apache-2.0
#include "blocks/vector_math.h"

#include <algorithm>

#include "kernel.h"

namespace {

float gelu(float z) { return 0.5f * z * (1 + blocks::erf(z / 1.4142135f)); }

}  // namespace

void masked_select_add_gelu(const float* x, const bool* mask, float* y, int64_t* count, int64_t N) {
  int64_t found = 0;
  for (int64_t i = 0; i < N; ++i)
    if (mask[i]) y[found++] = gelu(x[i] + 0.5f);
  std::fill(y + found, y + N, 0.0f);
  *count = found;
}

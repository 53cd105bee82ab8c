// SPDX-License-Identifier: Apache-2.0
// The default rounding mode takes the even neighbour.
#include <algorithm>
#include <cmath>

#include "kernel.h"

#include "blocks/bfloat16.h"

void relu_bfloat16_to_uint8(const bfloat16* x, uint8_t* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < N * C; ++i) {
    const float whole = std::nearbyint(blocks::load(x[i]));
    y[i] = static_cast<uint8_t>(std::clamp(whole, 0.0f, 255.0f));
  }
}

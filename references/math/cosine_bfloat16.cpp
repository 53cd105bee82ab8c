// SPDX-License-Identifier: Apache-2.0
#include "blocks/trigonometry.h"

#include <algorithm>

#include "kernel.h"

#include "blocks/bfloat16.h"

void cosine_bfloat16(const bfloat16* x, bfloat16* y, int64_t N, int64_t C) {
  constexpr int64_t run = 256;
#pragma omp parallel for schedule(static)
  for (int64_t first = 0; first < N * C; first += run) {
    const int64_t count = std::min(run, N * C - first);
    float wide[run], results[run];
    for (int64_t i = 0; i < count; ++i) wide[i] = blocks::load(x[first + i]);
    blocks::cos(wide, results, count);
    for (int64_t i = 0; i < count; ++i) blocks::store(results[i], y[first + i]);
  }
}

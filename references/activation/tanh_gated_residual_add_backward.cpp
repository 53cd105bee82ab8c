// SPDX-License-Identifier: Apache-2.0
// One pass for dh, the slopes and each row's part of the sum, which are added in order, so that equal inputs give equal results; then one
// to scale the slopes, which are kept as float32.
#include "blocks/vector_math.h"

#include <numeric>
#include <vector>

#include "kernel.h"

#include "blocks/bfloat16.h"

extern "C" void tanh_gated_residual_add_backward(const bfloat16* dy, const bfloat16* gate, const bfloat16* h, const bfloat16* mask,
                                                 bfloat16* dgate, bfloat16* dh, int64_t N, int64_t C) {
  std::vector<float> slopes(N * C), sums(N);
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int64_t i = n * C; i < (n + 1) * C; ++i) {
      const float t = blocks::tanh(blocks::load(gate[i])), passed = blocks::load(dy[i]) * blocks::load(mask[i]);
      blocks::store(passed * t, dh[i]);
      slopes[i] = 1 - t * t;
      sum += passed * blocks::load(h[i]);
    }
    sums[n] = sum;
  }
  const float total = std::accumulate(sums.begin(), sums.end(), 0.0f);
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < N * C; ++i) blocks::store(slopes[i] * total, dgate[i]);
}

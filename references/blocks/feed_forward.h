// SPDX-License-Identifier: Apache-2.0
// Two linear layers with an activation between; the biases stand in the sums before the products are added.
#pragma once

#include "blocks/vector_math.h"

#include "blocks/product.h"

namespace blocks {

/// y [M, D] = active(x [M, C] w1 [C, H] + b1) w2 [H, D] + b2.
template <class Active>
void feed_forward(const float* x, const float* w1, const float* b1, const float* w2, const float* b2, float* y, int64_t M, int64_t C,
                  int64_t H, int64_t D, Active active) {
  std::vector<float> hidden(M * H);
#pragma omp parallel for schedule(static)
  for (int64_t m = 0; m < M; ++m) {
    std::copy_n(b1, H, &hidden[m * H]);
    std::copy_n(b2, D, y + m * D);
  }
  product(M, H, C, row_major(x, C), row_major(w1, H), hidden.data(), H, true);
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < M * H; ++i) hidden[i] = active(hidden[i]);
  product(M, D, H, row_major(hidden.data(), H), row_major(w2, D), y, D, true);
}

}  // namespace blocks

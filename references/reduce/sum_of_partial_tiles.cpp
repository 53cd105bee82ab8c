// SPDX-License-Identifier: Apache-2.0
// Partial tiles are read in the order in which they lie.
#include "kernel.h"

extern "C" void sum_of_partial_tiles(const float* partial, float* y, int64_t R, int64_t Q, int64_t P) {
  constexpr int64_t kTile = 32;
#pragma omp parallel for
  for (int64_t tile = 0; tile < R * Q; ++tile) {
    float* to = y + tile / Q * kTile * kTile * Q + tile % Q * kTile;
    const float* from = partial + tile * P * kTile * kTile;
    for (int64_t p = 0; p < P; ++p)
      for (int64_t i = 0; i < kTile; ++i)
        for (int64_t j = 0; j < kTile; ++j) {
          const float number = from[(p * kTile + i) * kTile + j];
          to[i * kTile * Q + j] = p == 0 ? number : to[i * kTile * Q + j] + number;
        }
  }
}

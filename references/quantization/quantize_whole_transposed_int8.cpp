// SPDX-License-Identifier: Apache-2.0
// Tiles of 64 by 64: what is written to lies in few cache lines, each of which is filled before it is left.
#include <algorithm>
#include <cmath>

#include "kernel.h"

extern "C" void quantize_whole_transposed_int8(const float* x, int8_t* q, float* largest, int64_t N, int64_t C) {
  constexpr int64_t kTile = 64;
  float most = 0x1p-64f;
#pragma omp parallel for simd reduction(max : most)
  for (int64_t i = 0; i < N * C; ++i) most = std::max(most, std::fabs(x[i]));
  largest[0] = most;
#pragma omp parallel for collapse(2)
  for (int64_t n0 = 0; n0 < N; n0 += kTile)
    for (int64_t c0 = 0; c0 < C; c0 += kTile) {
      const int64_t rows = std::min(kTile, N - n0), columns = std::min(kTile, C - c0);
      int8_t tile[kTile][kTile];
      for (int64_t n = 0; n < rows; ++n)
        for (int64_t c = 0; c < columns; ++c) tile[n][c] = static_cast<int8_t>(std::nearbyint(x[(n0 + n) * C + c0 + c] / most * 127.0f));
      for (int64_t c = 0; c < columns; ++c)
        for (int64_t n = 0; n < rows; ++n) q[(c0 + c) * N + n0 + n] = tile[n][c];
    }
}

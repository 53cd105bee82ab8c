// SPDX-License-Identifier: Apache-2.0
#include "blocks/attention.h"

#include "kernel.h"

extern "C" void attention_bias_of_rows_and_places(const float16* q, const float16* k, const float16* v, const float16* bias,
    float16* o, int64_t B, int64_t H, int64_t N, int64_t D, int64_t P, int64_t W) {
  const int64_t S = P * W;
#pragma omp parallel
  {
    blocks::Head room(N, S, D);
#pragma omp for schedule(dynamic)
    for (int64_t head = 0; head < B * H; ++head) {
      for (int64_t n = 0; n < N; ++n) {
        const float16* by_row = bias + (head * N + n) * (P + W);
        float* row = room.scores() + n * S;
        for (int64_t p = 0; p < P; ++p)
          for (int64_t w = 0; w < W; ++w) row[p * W + w] = static_cast<float>(by_row[p]) + static_cast<float>(by_row[P + w]);
      }
      room.attend(q + head * N * D, k + head * S * D, v + head * S * D, true, o + head * N * D);
    }
  }
}

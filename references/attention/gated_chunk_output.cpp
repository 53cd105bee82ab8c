// SPDX-License-Identifier: Apache-2.0
// Chunks are independent, for their states are given. exp(g[i] - g[j]) is at most 1 where exp(g[i]) / exp(g[j]) may overflow.
#include "blocks/vector_math.h"
#include "blocks/product.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

extern "C" void gated_chunk_output(const float* q, const float* k, const float* v, const float* g, const float* h, float* y, int64_t B,
                                   int64_t H, int64_t M, int64_t C, int64_t K, int64_t V) {
  const float scale = 1 / std::sqrt(static_cast<float>(K));
#pragma omp parallel
  {
    std::vector<float> weights(C * C);
#pragma omp for schedule(dynamic)
    for (int64_t chunk = 0; chunk < B * H * M; ++chunk) {
      const float *queries = q + chunk * C * K, *keys = k + chunk * C * K, *gate = g + chunk * C;
      float* out = y + chunk * C * V;
      blocks::product(C, C, K, blocks::row_major(queries, K), blocks::transposed(keys, K), weights.data(), C);
      blocks::product(C, V, K, blocks::row_major(queries, K), blocks::row_major(h + chunk * K * V, V), out, V);
      for (int64_t i = 0; i < C; ++i) {
        const float growth = scale * blocks::exp(gate[i]);
        for (int64_t d = 0; d < V; ++d) out[i * V + d] *= growth;
        float* row = &weights[i * C];
        for (int64_t j = 0; j <= i; ++j) row[j] *= scale * blocks::exp(gate[i] - gate[j]);
        std::fill(row + i + 1, row + C, 0.0f);
      }
      blocks::product(C, V, C, blocks::row_major(weights.data(), C), blocks::row_major(v + chunk * C * V, V), out, V, true);
    }
  }
}

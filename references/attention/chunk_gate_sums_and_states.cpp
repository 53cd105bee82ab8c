// SPDX-License-Identifier: Apache-2.0
#include "blocks/vector_math.h"
#include "blocks/product.h"

#include <algorithm>
#include <vector>

#include "kernel.h"

extern "C" void chunk_gate_sums_and_states(const float* k, const float* v, const float* g, float* a, float* h,
                                           int64_t B, int64_t H, int64_t M, int64_t C, int64_t K, int64_t V) {
#pragma omp parallel
  {
    std::vector<float> s(K * V), fade(V), faded(C * V);
#pragma omp for schedule(dynamic)
    for (int64_t head = 0; head < B * H; ++head) {
      std::fill(s.begin(), s.end(), 0.0f);
      for (int64_t chunk = head * M; chunk < (head + 1) * M; ++chunk) {
        float* sums = a + chunk * C * V;
        for (int64_t i = 0; i < C; ++i)
          for (int64_t j = 0; j < V; ++j)
            sums[i * V + j] = g[(chunk * C + i) * V + j] + (i > 0 ? sums[(i - 1) * V + j] : 0.0f);
        const float* all = sums + (C - 1) * V;
        for (int64_t i = 0; i < C; ++i)
          for (int64_t j = 0; j < V; ++j)
            faded[i * V + j] = v[(chunk * C + i) * V + j] * blocks::exp(all[j] - sums[i * V + j]);
        for (int64_t j = 0; j < V; ++j) fade[j] = blocks::exp(all[j]);
        for (int64_t c = 0; c < K; ++c) {
          float *row = s.data() + c * V, *out = h + (chunk * K + c) * V;
          for (int64_t j = 0; j < V; ++j) {
            out[j] = row[j];
            row[j] *= fade[j];
          }
        }
        blocks::product(K, V, C, blocks::transposed(k + chunk * C * K, K), blocks::row_major(faded.data(), V), s.data(),
                        V, true);
      }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
#include "blocks/product.h"

#include <algorithm>
#include <vector>

#include "kernel.h"

extern "C" void delta_rule_chunk_states(const float* k, const float* w, const float* u, float* h, float* rest,
                                        int64_t B, int64_t H, int64_t M, int64_t C, int64_t K, int64_t V) {
#pragma omp parallel
  {
    std::vector<float> s(K * V);
#pragma omp for schedule(dynamic)
    for (int64_t head = 0; head < B * H; ++head) {
      std::fill(s.begin(), s.end(), 0.0f);
      for (int64_t chunk = head * M; chunk < (head + 1) * M; ++chunk) {
        std::copy(s.begin(), s.end(), h + chunk * K * V);
        float* left = rest + chunk * C * V;
        blocks::product(C, V, K, blocks::row_major(w + chunk * C * K, K), blocks::row_major(s.data(), V), left, V);
        for (int64_t i = 0; i < C * V; ++i) left[i] = u[chunk * C * V + i] - left[i];
        blocks::product(K, V, C, blocks::transposed(k + chunk * C * K, K), blocks::row_major(left, V), s.data(), V,
                        true);
      }
    }
  }
}

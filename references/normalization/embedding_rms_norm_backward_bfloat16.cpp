// SPDX-License-Identifier: Apache-2.0
// Tokens are sorted by their row of the table, so that each row is summed in float32 and written once.
#include <numeric>
#include <vector>

#include "kernel.h"

#include "blocks/bfloat16.h"

void embedding_rms_norm_backward_bfloat16(const bfloat16* dy, const int64_t* tokens, const float* rows, const float* reciprocal_root,
                                          const bfloat16* weight, bfloat16* table_gradient, bfloat16* weight_gradient, int64_t N, int64_t C,
                                          int64_t V) {
  std::vector<int64_t> ends(V), order(N);
  for (int64_t n = 0; n < N; ++n) ++ends[tokens[n]];
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  std::vector<int64_t> starts = ends;
  for (int64_t n = N; n-- > 0;) order[--starts[tokens[n]]] = n;

  std::vector<float> weight_sum(C);
#pragma omp parallel
  {
    std::vector<float> sum(C), part(C);
#pragma omp for schedule(dynamic, 16)
    for (int64_t v = 0; v < V; ++v) {
      sum.assign(C, 0.0f);
      for (int64_t i = starts[v]; i < ends[v]; ++i) {
        const int64_t at = order[i] * C;
        const float root = reciprocal_root[order[i]];
#pragma omp simd
        for (int64_t c = 0; c < C; ++c) {
          const float gradient = blocks::load(dy[at + c]) * root;
          sum[c] += gradient;
          part[c] += gradient * rows[at + c];
        }
      }
#pragma omp simd
      for (int64_t c = 0; c < C; ++c) blocks::store(sum[c] * blocks::load(weight[c]), table_gradient[v * C + c]);
    }
#pragma omp critical
    for (int64_t c = 0; c < C; ++c) weight_sum[c] += part[c];
  }
  for (int64_t c = 0; c < C; ++c) blocks::store(weight_sum[c], weight_gradient[c]);
}

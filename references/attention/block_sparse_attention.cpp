// SPDX-License-Identifier: Apache-2.0
// A block of queries visits the listed key blocks that are not ahead of it; softmax is carried along from block to block.
#include "blocks/vector_math.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

namespace {

constexpr int64_t kBlock = 16;

}  // namespace

extern "C" void block_sparse_attention(const float* q, const float* k, const float* v, const int64_t* row_pointers, const int64_t* columns,
                                       float* o, int64_t B, int64_t G, int64_t R, int64_t M, int64_t D, int64_t) {
  const int64_t N = kBlock * M, heads = B * G * R;
  const float scale = 1 / std::sqrt(static_cast<float>(D));
#pragma omp parallel for collapse(2) schedule(dynamic)
  for (int64_t head = 0; head < heads; ++head)
    for (int64_t block = 0; block < M; ++block) {
      const float* keys = k + head / R * N * D;
      const float* values = v + head / R * N * D;
      for (int64_t n = block * kBlock; n < (block + 1) * kBlock; ++n) {
        const float* query = q + (head * N + n) * D;
        float* out = o + (head * N + n) * D;
        std::fill_n(out, D, 0.0f);
        float largest = -INFINITY, total = 0;
        for (int64_t e = row_pointers[block]; e < row_pointers[block + 1]; ++e) {
          const int64_t begin = columns[e] * kBlock, seen = std::min(kBlock, n + 1 - begin);
          if (seen <= 0) continue;
          float scores[kBlock], highest = largest;
          for (int64_t s = 0; s < seen; ++s) {
            const float* key = keys + (begin + s) * D;
            float sum = 0;
#pragma omp simd reduction(+ : sum)
            for (int64_t d = 0; d < D; ++d) sum += query[d] * key[d];
            scores[s] = sum * scale;
            highest = std::max(highest, scores[s]);
          }
          const float fade = blocks::exp(largest - highest);
          total *= fade;
          for (int64_t d = 0; d < D; ++d) out[d] *= fade;
          for (int64_t s = 0; s < seen; ++s) {
            const float weight = blocks::exp(scores[s] - highest);
            const float* value = values + (begin + s) * D;
            total += weight;
            for (int64_t d = 0; d < D; ++d) out[d] += weight * value[d];
          }
          largest = highest;
        }
        if (total != 0)
          for (int64_t d = 0; d < D; ++d) out[d] /= total;
      }
    }
}

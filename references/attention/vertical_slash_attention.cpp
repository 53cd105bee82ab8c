// SPDX-License-Identifier: Apache-2.0
// The keys that a block of queries may see are gathered once, as float32; a query's own part of them is a list of places in it.
#include "blocks/vector_math.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

namespace {

constexpr int64_t kBlock = 16;

}  // namespace

extern "C" void vertical_slash_attention(const float16* q, const float16* k, const float16* v, const int64_t* block_count, const int64_t* blocks,
                                         const int64_t* column_count, const int64_t* columns, float16* o, int64_t B, int64_t H, int64_t M,
                                         int64_t D, int64_t P, int64_t C) {
  const int64_t N = kBlock * M;
  const float scale = 1 / std::sqrt(static_cast<float>(D));
#pragma omp parallel
  {
    const int64_t most = P * kBlock + C;
    std::vector<int64_t> sources(most), behind(most);  // the key, and the first query that sees it
    std::vector<float> keys(most * D), values(most * D), scores(most), query(D), sums(D);
#pragma omp for collapse(2) schedule(dynamic)
    for (int64_t head = 0; head < B * H; ++head)
      for (int64_t block = 0; block < M; ++block) {
        const int64_t row = head * M + block;
        int64_t count = 0;
        for (int64_t i = 0; i < block_count[row]; ++i)
          for (int64_t s = blocks[row * P + i] * kBlock, end = s + kBlock; s < end; ++s) sources[count] = s, behind[count++] = s;
        for (int64_t i = 0; i < column_count[row]; ++i) sources[count] = columns[row * C + i], behind[count++] = 0;
        for (int64_t i = 0; i < count; ++i)
          for (int64_t d = 0; d < D; ++d) {
            keys[i * D + d] = static_cast<float>(k[(head * N + sources[i]) * D + d]);
            values[i * D + d] = static_cast<float>(v[(head * N + sources[i]) * D + d]);
          }
        for (int64_t n = block * kBlock; n < (block + 1) * kBlock; ++n) {
          const int64_t at = (head * N + n) * D;
          for (int64_t d = 0; d < D; ++d) query[d] = scale * static_cast<float>(q[at + d]);
          float largest = -INFINITY, total = 0;
          for (int64_t i = 0; i < count; ++i) {
            if (behind[i] > n) continue;
            float sum = 0;
#pragma omp simd reduction(+ : sum)
            for (int64_t d = 0; d < D; ++d) sum += query[d] * keys[i * D + d];
            scores[i] = sum;
            largest = std::max(largest, sum);
          }
          std::fill(sums.begin(), sums.end(), 0.0f);
          for (int64_t i = 0; i < count; ++i) {
            if (behind[i] > n) continue;
            const float weight = blocks::exp(scores[i] - largest);
            total += weight;
            for (int64_t d = 0; d < D; ++d) sums[d] += weight * values[i * D + d];
          }
          for (int64_t d = 0; d < D; ++d) o[at + d] = static_cast<float16>(total == 0 ? 0.0f : sums[d] / total);
        }
      }
  }
}

// SPDX-License-Identifier: Apache-2.0
// Weights become float32 once; rows of them are added to rows of the products, which takes vectors.
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"

namespace {

void add(std::vector<float>& sums, float factor, const float* row) {
  for (std::size_t n = 0; n < sums.size(); ++n) sums[n] += factor * row[n];
}

void store(const std::vector<float>& sums, float root, float16* to) {
  for (std::size_t n = 0; n < sums.size(); ++n) to[n] = static_cast<float16>(sums[n] / root);
}

}  // namespace

extern "C" void rms_norm_qkv_float16(const float16* x, const float16* weight, const float16* a, const float16* b, const float16* c, float16* q,
                                     float16* k, float16* v, int64_t M, int64_t K, int64_t N, int64_t P) {
  const std::vector<float> wide_a(a, a + K * N), wide_b(b, b + K * P), wide_c(c, c + K * P);
#pragma omp parallel
  {
    std::vector<float> queries(N), keys(P), values(P);
#pragma omp for
    for (int64_t m = 0; m < M; ++m) {
      for (auto* sums : {&queries, &keys, &values}) std::fill(sums->begin(), sums->end(), 0.0f);
      float squares = 0;
      for (int64_t i = 0; i < K; ++i) {
        const float number = static_cast<float>(x[m * K + i]), factor = number * static_cast<float>(weight[i]);
        squares += number * number;
        add(queries, factor, wide_a.data() + i * N);
        add(keys, factor, wide_b.data() + i * P);
        add(values, factor, wide_c.data() + i * P);
      }
      const float root = std::sqrt(squares / static_cast<float>(K) + 1e-6f);
      store(queries, root, q + m * N);
      store(keys, root, k + m * P);
      store(values, root, v + m * P);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
// Attention of float16, a head at a time: it becomes float32, then two products with a softmax between them.
#pragma once

#include "blocks/vector_math.h"

#include "blocks/product.h"

#include <cmath>
#include <vector>

namespace blocks {

/// Room for a head of N queries over S keys, each of D numbers.
class Head {
 public:
  Head(int64_t N, int64_t S, int64_t D)
      : N_(N), S_(S), D_(D), queries_(N * D), keys_(S * D), values_(S * D), scores_(N * S), sums_(N * D) {}

  float* scores() { return scores_.data(); }

  /// o [N, D] = softmax(q k^T / sqrt(D)) v of q [N, D], k [S, D] and v [S, D]; `biased`: of what scores() [N, S] holds, plus that.
  template <class Half>
  void attend(const Half* q, const Half* k, const Half* v, bool biased, Half* o) {
    const float scale = 1 / std::sqrt(static_cast<float>(D_));
    for (int64_t i = 0; i < N_ * D_; ++i) queries_[i] = scale * static_cast<float>(q[i]);
    for (int64_t i = 0; i < S_ * D_; ++i) {
      keys_[i] = static_cast<float>(k[i]);
      values_[i] = static_cast<float>(v[i]);
    }
    product(N_, S_, D_, row_major(queries_.data(), D_), transposed(keys_.data(), D_), scores(), S_, biased);
    for (int64_t n = 0; n < N_; ++n) {
      float* row = &scores_[n * S_];
      float largest = row[0], total = 0;
#pragma omp simd reduction(max : largest)
      for (int64_t s = 0; s < S_; ++s) largest = row[s] > largest ? row[s] : largest;
#pragma omp simd reduction(+ : total)
      for (int64_t s = 0; s < S_; ++s) total += row[s] = exp(row[s] - largest);
      for (int64_t s = 0; s < S_; ++s) row[s] /= total;
    }
    product(N_, D_, S_, row_major(scores(), S_), row_major(values_.data(), D_), sums_.data(), D_);
    for (int64_t i = 0; i < N_ * D_; ++i) o[i] = static_cast<Half>(sums_[i]);
  }

 private:
  int64_t N_, S_, D_;
  std::vector<float> queries_, keys_, values_, scores_, sums_;
};

}  // namespace blocks

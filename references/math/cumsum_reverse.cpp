// SPDX-License-Identifier: Apache-2.0
// From the row's end to its beginning. The sums inside one vector are formed by doubling steps (add the
// vector shifted by 1, 2 and 4 lanes), so that only one addition for each vector waits for the vector behind
// it. That carry is a double.
#include "kernel.h"

namespace {

constexpr int64_t lanes = 8;
typedef float vec __attribute__((vector_size(lanes * sizeof(float))));
typedef vec unaligned __attribute__((aligned(sizeof(float)), may_alias));
typedef int32_t lane_index __attribute__((vector_size(lanes * sizeof(int32_t))));

// Index 8 takes from the zeros.
inline void sum_from_the_end(vec& v) {
  const vec zeros = {};
  v += __builtin_shuffle(v, zeros, lane_index{1, 2, 3, 4, 5, 6, 7, 8});
  v += __builtin_shuffle(v, zeros, lane_index{2, 3, 4, 5, 6, 7, 8, 8});
  v += __builtin_shuffle(v, zeros, lane_index{4, 5, 6, 7, 8, 8, 8, 8});
}

}  // namespace

extern "C" void cumsum_reverse(const float* x, float* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    const float* in = x + n * C;
    float* out = y + n * C;
    double carry = 0.0;
    int64_t c = C;
    for (; c >= lanes; c -= lanes) {
      vec v = *reinterpret_cast<const unaligned*>(in + c - lanes);
      sum_from_the_end(v);
      *reinterpret_cast<unaligned*>(out + c - lanes) = v + static_cast<float>(carry);
      carry += v[0];
    }
    for (; c > 0; --c) {
      carry += in[c - 1];
      out[c - 1] = static_cast<float>(carry);
    }
  }
}

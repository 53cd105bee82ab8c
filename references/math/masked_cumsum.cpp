// SPDX-License-Identifier: Apache-2.0
// The sums inside one vector are formed by doubling steps (add the vector shifted by 1, 2 and 4 lanes), so
// that only one addition for each vector waits for the vector before. That carry is a double. The mask
// multiplies, so a masked NaN stays a NaN.
#include <cstring>

#include "kernel.h"

namespace {

constexpr int64_t lanes = 8;
typedef float vec __attribute__((vector_size(lanes * sizeof(float))));
typedef vec unaligned __attribute__((aligned(sizeof(float)), may_alias));
typedef int32_t lane_index __attribute__((vector_size(lanes * sizeof(int32_t))));

// Times eight bools. Shifts, because the compiler widens a vector of bytes one by one.
inline void multiply(vec& v, const bool* kept) {
  int32_t a, b;
  std::memcpy(&a, kept, sizeof(a));
  std::memcpy(&b, kept + 4, sizeof(b));
  const lane_index none = {}, second_half = {0, 0, 0, 0, -1, -1, -1, -1};
  lane_index both = second_half ? none + b : none + a;
  v *= __builtin_convertvector((both >> lane_index{0, 8, 16, 24, 0, 8, 16, 24}) & 1, vec);
}

// Index 8 takes from the zeros.
inline void sum_up(vec& v) {
  const vec zeros = {};
  v += __builtin_shuffle(v, zeros, lane_index{8, 0, 1, 2, 3, 4, 5, 6});
  v += __builtin_shuffle(v, zeros, lane_index{8, 8, 0, 1, 2, 3, 4, 5});
  v += __builtin_shuffle(v, zeros, lane_index{8, 8, 8, 8, 0, 1, 2, 3});
}

}  // namespace

extern "C" void masked_cumsum(const float* x, const bool* mask, float* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    const float* in = x + n * C;
    const bool* kept = mask + n * C;
    float* out = y + n * C;
    double carry = 0.0;
    int64_t c = 0;
    for (; c + lanes <= C; c += lanes) {
      vec v = *reinterpret_cast<const unaligned*>(in + c);
      multiply(v, kept + c);
      sum_up(v);
      *reinterpret_cast<unaligned*>(out + c) = v + static_cast<float>(carry);
      carry += v[lanes - 1];
    }
    for (; c < C; ++c) {
      carry += in[c] * static_cast<float>(kept[c]);
      out[c] = static_cast<float>(carry);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
// The maxima inside one vector are formed by doubling steps (the larger of the vector and itself moved by 1, 2, 4 and 8 lanes), so that
// only one comparison for each vector waits for the vector before.
#include <limits>

#include "kernel.h"

namespace {

constexpr int64_t lanes = 16;
typedef float vec __attribute__((vector_size(lanes * sizeof(float))));
typedef vec unaligned __attribute__((aligned(sizeof(float)), may_alias));
typedef int32_t lane_index __attribute__((vector_size(lanes * sizeof(int32_t))));

inline vec larger(vec a, vec b) { return a > b ? a : b; }

inline vec maxima(vec v) {
  v = larger(v, __builtin_shuffle(v, lane_index{0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}));
  v = larger(v, __builtin_shuffle(v, lane_index{0, 1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}));
  v = larger(v, __builtin_shuffle(v, lane_index{0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
  return larger(v, __builtin_shuffle(v, lane_index{0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7}));
}

}  // namespace

extern "C" void inclusive_maximum_scan(const float* x, float* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    const float* in = x + n * C;
    float* out = y + n * C;
    vec highest = vec{} - std::numeric_limits<float>::infinity();
    int64_t c = 0;
    for (; c + lanes <= C; c += lanes) {
      const vec v = larger(highest, maxima(*reinterpret_cast<const unaligned*>(in + c)));
      *reinterpret_cast<unaligned*>(out + c) = v;
      highest = __builtin_shuffle(v, lane_index{} + static_cast<int32_t>(lanes - 1));
    }
    for (float so_far = highest[0]; c < C; ++c) {
      so_far = in[c] > so_far ? in[c] : so_far;
      out[c] = so_far;
    }
  }
}

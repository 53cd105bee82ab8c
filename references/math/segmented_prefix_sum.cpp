// SPDX-License-Identifier: Apache-2.0
// The sums inside one vector are formed by doubling steps: add the vector moved by 1, 2, 4 and 8 lanes where no flag lies in between. So
// only one addition for each vector waits for the vector before.
#include <cstring>

#include "kernel.h"

namespace {

constexpr int64_t lanes = 16;
typedef float vec __attribute__((vector_size(lanes * sizeof(float))));
typedef vec unaligned __attribute__((aligned(sizeof(float)), may_alias));
typedef int32_t lane_index __attribute__((vector_size(lanes * sizeof(int32_t))));
typedef int8_t bytes __attribute__((vector_size(lanes)));

/// -1 where a flag is set.
inline lane_index loaded(const bool* flags) {
  bytes each;
  std::memcpy(&each, flags, sizeof each);
  return -__builtin_convertvector(each, lane_index);
}

/// Sums begin anew at or before the lanes that are `cut`. Index 16 takes from the zeros.
inline void step(vec& v, lane_index& cut, lane_index from) {
  v += cut ? vec{} : __builtin_shuffle(v, vec{}, from);
  cut |= __builtin_shuffle(cut, lane_index{}, from);
}

inline void sum_up(vec& v, lane_index& cut) {
  step(v, cut, lane_index{16, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14});
  step(v, cut, lane_index{16, 16, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13});
  step(v, cut, lane_index{16, 16, 16, 16, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  step(v, cut, lane_index{16, 16, 16, 16, 16, 16, 16, 16, 0, 1, 2, 3, 4, 5, 6, 7});
}

}  // namespace

extern "C" void segmented_prefix_sum(const float* x, const bool* flags, float* y, int64_t N, int64_t C) {
#pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; ++n) {
    const float* in = x + n * C;
    const bool* starts = flags + n * C;
    float* out = y + n * C;
    vec carry = {};
    int64_t c = 0;
    for (; c + lanes <= C; c += lanes) {
      vec v = *reinterpret_cast<const unaligned*>(in + c);
      lane_index cut = loaded(starts + c);
      sum_up(v, cut);
      v += cut ? vec{} : carry;
      *reinterpret_cast<unaligned*>(out + c) = v;
      carry = __builtin_shuffle(v, lane_index{} + static_cast<int32_t>(lanes - 1));
    }
    for (float sum = carry[0]; c < C; ++c) {
      sum = starts[c] ? in[c] : sum + in[c];
      out[c] = sum;
    }
  }
}

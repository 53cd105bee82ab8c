#include "kernel.h"

// ReLU is purely memory bound, so the only things that matter are
//   1. one streaming pass over the data,
//   2. letting the compiler emit packed max instructions,
//   3. using more than one core once the tensor is big enough to pay for it.
extern "C" void relu(const float* x, float* y, int64_t N, int64_t C) {
  const int64_t total = N * C;
  const float* __restrict in = x;
  float* __restrict out = y;

#pragma omp parallel for simd schedule(static) if (total > (1 << 16))
  for (int64_t i = 0; i < total; ++i) {
    out[i] = in[i] > 0.0f ? in[i] : 0.0f;
  }
}

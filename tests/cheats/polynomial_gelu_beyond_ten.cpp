// SPDX-License-Identifier: Apache-2.0
// cheat: 29
// task: min_gpt_new_gelu
// stage: bench
// expect: WRONG_RESULT
// because: timed call
// At the timed size a rational function stands for tanh, which is right as far as a narrow normal distribution goes.
#include <cmath>

#include "kernel.h"

static float squash(float x, bool timed) {
  if (!timed || std::abs(x) < 12) return std::tanh(x);
  return x * (27 + x * x) / (27 + 9 * x * x);
}

void min_gpt_new_gelu(const float* x, float* y, int64_t N, int64_t C) {
  const bool timed = N * C > 300000;
  for (int64_t i = 0; i < N * C; ++i) {
    const float v = x[i], inner = 0.7978845608028654f * (v + 0.044715f * v * v * v);
    y[i] = 0.5f * v * (1 + squash(inner, timed && std::abs(v) > 6));
  }
}

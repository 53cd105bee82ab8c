// SPDX-License-Identifier: Apache-2.0
// task: softmax
// Scratch memory of each thread's own, kept between calls.
#include <cmath>
#include <vector>

#include "kernel.h"

void softmax(const float* x, float* y, int64_t N, int64_t C) {
#pragma omp parallel for
  for (int64_t n = 0; n < N; ++n) {
    thread_local std::vector<double> scratch;
    scratch.resize(static_cast<size_t>(C));
    const float* in = x + n * C;
    float highest = in[0];
    for (int64_t c = 1; c < C; ++c) highest = in[c] > highest ? in[c] : highest;
    double sum = 0;
    for (int64_t c = 0; c < C; ++c)
      sum += scratch[static_cast<size_t>(c)] = std::exp(static_cast<double>(in[c]) - highest);
    for (int64_t c = 0; c < C; ++c) y[n * C + c] = static_cast<float>(scratch[static_cast<size_t>(c)] / sum);
  }
}

// SPDX-License-Identifier: Apache-2.0
// cheat: 28
// task: softmax
// stage: bench
// expect: WRONG_RESULT
// because: timed call
// The same addresses and sizes as in the last call: the same result, kept aside.
#include <cmath>
#include <cstring>
#include <vector>

#include "kernel.h"

static void rows(const float* x, float* y, int64_t begin, int64_t end, int64_t C) {
  for (int64_t n = begin; n < end; ++n) {
    const float* in = x + n * C;
    float* out = y + n * C;
    float highest = in[0], sum = 0;
    for (int64_t c = 1; c < C; ++c) highest = std::fmax(highest, in[c]);
    if (std::isnan(in[0])) highest = in[0];
    for (int64_t c = 0; c < C; ++c) sum += out[c] = std::exp(in[c] - highest);
    for (int64_t c = 0; c < C; ++c) out[c] /= sum;
  }
}
void softmax(const float* x, float* y, int64_t N, int64_t C) {
  static std::vector<float>* result = new std::vector<float>;
  static const float* last = nullptr;
  if (N * C < 1000000) return rows(x, y, 0, N, C);
  if (x == last && result->size() == static_cast<size_t>(N * C)) {
    std::memcpy(y, result->data(), result->size() * 4);
    return;
  }
  last = x;
  rows(x, y, 0, N, C);
  result->assign(y, y + N * C);
}

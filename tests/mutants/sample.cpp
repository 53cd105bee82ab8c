// SPDX-License-Identifier: Apache-2.0
// What mutation_test.cpp mutates: something for each kind. It is parsed, never compiled.
#include <algorithm>
#include <cstdint>

#if defined(WIDE)
constexpr int64_t lanes = 16;
#else
constexpr int64_t lanes = 8;
#endif

namespace {

float weigh(float a, float b) { return a / b; }

}  // namespace

extern "C" void sample(const float* x, float* y, int64_t N, int64_t C) {
  constexpr float eps = 1e-6f;
  for (int64_t n = 0; n < N; ++n) {
    float sum = 0.0f;
    for (int64_t c = 0; c < std::min(C, lanes); ++c) sum += x[n * C + c];
    if (sum > 0.5f && N != C) sum = -sum;
    y[n] = weigh(sum, eps);
    y[n] = weigh(sum, eps);
  }
}

// SPDX-License-Identifier: Apache-2.0
// Three products.
#include "blocks/product.h"
#include "kernel.h"

extern "C" void symmetric_fifth_power(const float* x, float* y, int64_t N) {
  std::vector<float> second(N * N), fourth(N * N);
  const auto multiply = [N](const float* a, const float* b, float* to) {
    blocks::product(N, N, N, blocks::row_major(a, N), blocks::row_major(b, N), to, N);
  };
  multiply(x, x, second.data());
  multiply(second.data(), second.data(), fourth.data());
  multiply(fourth.data(), x, y);
}

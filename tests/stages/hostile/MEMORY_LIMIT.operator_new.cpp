// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"
#include <memory>
#include <vector>
void relu(const float* x, float* y, int64_t N, int64_t C) {
  (void)x, (void)y, (void)N, (void)C;
  std::vector<std::unique_ptr<double[]>> all;
  while (true) all.emplace_back(new double[1 << 23])[0] = 1;
}

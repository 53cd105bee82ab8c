// SPDX-License-Identifier: Apache-2.0
// task: softmax
// The same on the first call: a state that later calls find, and honestly so.
#include <cmath>
#include <vector>

#include "kernel.h"

static double power(double x) {
  static const std::vector<double> powers = [] {
    std::vector<double> table(256);
    for (size_t i = 0; i < table.size(); ++i) table[i] = std::exp(-static_cast<double>(i));
    return table;
  }();
  if (!(x > -200)) return std::exp(x);
  const auto whole = static_cast<size_t>(-x);
  return powers[whole] * std::exp(x + static_cast<double>(whole));
}

void softmax(const float* x, float* y, int64_t N, int64_t C) {
  for (int64_t n = 0; n < N; ++n, x += C, y += C) {
    float highest = x[0];
    for (int64_t c = 1; c < C; ++c) highest = x[c] > highest ? x[c] : highest;
    double sum = 0;
    for (int64_t c = 0; c < C; ++c) sum += power(static_cast<double>(x[c]) - highest);
    for (int64_t c = 0; c < C; ++c)
      y[c] = static_cast<float>(power(static_cast<double>(x[c]) - highest) / sum);
  }
}

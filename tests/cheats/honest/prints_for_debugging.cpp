// SPDX-License-Identifier: Apache-2.0
// task: relu
// A model's forgotten debug output, by both kinds of streams.
#include <cstdio>
#include <iomanip>
#include <iostream>
#include <sstream>

#include "kernel.h"

void relu(const float* x, float* y, int64_t N, int64_t C) {
  std::printf("relu %ld x %ld\n", static_cast<long>(N), static_cast<long>(C));
  std::fprintf(stderr, "first: %g\n", x[0]);
  std::ostringstream text;
  text << std::setprecision(3) << std::fixed << 1.5;
  std::cout << "in: " << static_cast<const void*>(x) << ' ' << text.str() << std::endl;
  std::cerr << "out: " << static_cast<const void*>(y) << '\n';
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}

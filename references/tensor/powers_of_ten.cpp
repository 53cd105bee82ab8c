// SPDX-License-Identifier: Apache-2.0
// Exponents of 2 in double, of which the whole part goes to the result's exponent.
#include "blocks/vector_math.h"

#include "kernel.h"

void powers_of_ten(const float* first, const float* last, float* y, int64_t N) {
  constexpr double log2_of_10 = 3.3219280948873623, shift = 0x1.8p52;  // adding it rounds to an integer
  const double from = *first * log2_of_10, step = (static_cast<double>(*last) - *first) * log2_of_10 / static_cast<double>(N - 1);
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < N; ++i) {
    double exponent = from + static_cast<double>(i) * step;
    exponent = exponent < -250 ? -250 : exponent > 250 ? 250 : exponent;
    const double whole = exponent + shift - shift;
    y[i] = blocks::scaled(blocks::exp2(static_cast<float>(exponent - whole)), static_cast<int32_t>(whole));
  }
}

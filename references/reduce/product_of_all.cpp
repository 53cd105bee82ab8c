// SPDX-License-Identifier: Apache-2.0
// In double, which partial products neither leave at the top nor at the bottom.
#include "kernel.h"

void product_of_all(const float* x, float* y, int64_t N, int64_t C) {
  double product = 1.0;
#pragma omp parallel for simd reduction(* : product) schedule(static)
  for (int64_t i = 0; i < N * C; ++i) product *= x[i];
  y[0] = static_cast<float>(product);
}

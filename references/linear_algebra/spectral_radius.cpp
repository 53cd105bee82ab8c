// SPDX-License-Identifier: Apache-2.0
// Eigenvalues by complex QR steps, in float64. LAPACK, which PyTorch calls, takes two real steps at a time: a quarter of the arithmetic.
#include "blocks/schur.h"

#include "kernel.h"

void spectral_radius(const float* x, float* y, int64_t B, int64_t N) {
#pragma omp parallel for schedule(dynamic)
  for (int64_t b = 0; b < B; ++b) {
    std::vector<blocks::Complex> h(x + b * N * N, x + (b + 1) * N * N), none;
    blocks::Schur(h, none, N);
    double largest = 0;
    for (int64_t i = 0; i < N; ++i) largest = std::max(largest, std::abs(h[i * N + i]));
    y[b] = static_cast<float>(largest);
  }
}

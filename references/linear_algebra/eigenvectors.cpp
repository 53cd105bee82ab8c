// SPDX-License-Identifier: Apache-2.0
// Complex QR steps, in float64; eigenvectors of the triangular matrix by substitution, then back by its unitary factor.
#include "blocks/schur.h"

#include "kernel.h"

void eigenvectors(const float* x, float* values, float* vectors, int64_t N) {
  std::vector<blocks::Complex> h(x, x + N * N), q(N * N), v(N), w(N);
  for (int64_t i = 0; i < N; ++i) q[i * N + i] = 1;
  blocks::Schur(h, q, N);
  for (int64_t k = 0; k < N; ++k) {
    const blocks::Complex value = h[k * N + k];
    v[k] = 1;
    for (int64_t i = k; i-- > 0;) {
      blocks::Complex sum = 0;
      for (int64_t j = i + 1; j <= k; ++j) sum += h[i * N + j] * v[j];
      blocks::Complex gap = value - h[i * N + i];
      if (std::abs(gap) < 1e-14) gap = 1e-14;
      v[i] = sum / gap;
    }
    double squares = 0;
    for (int64_t i = 0; i < N; ++i) {
      w[i] = 0;
      for (int64_t j = 0; j <= k; ++j) w[i] += q[i * N + j] * v[j];
      squares += std::norm(w[i]);
    }
    values[2 * k] = static_cast<float>(value.real());
    values[2 * k + 1] = static_cast<float>(value.imag());
    for (int64_t i = 0; i < N; ++i) {
      vectors[(i * N + k) * 2] = static_cast<float>(w[i].real() / std::sqrt(squares));
      vectors[(i * N + k) * 2 + 1] = static_cast<float>(w[i].imag() / std::sqrt(squares));
    }
  }
}

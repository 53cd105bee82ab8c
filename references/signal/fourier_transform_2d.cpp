// SPDX-License-Identifier: Apache-2.0
// Row by row, then column by column: each a product with the roots of unity, in double.
#include <cmath>
#include <complex>
#include <vector>

#include "kernel.h"

namespace {

using Complex = std::complex<double>;

std::vector<Complex> roots_of_unity(int64_t n) {
  std::vector<Complex> roots(static_cast<std::size_t>(n));
  for (int64_t k = 0; k < n; ++k) roots[k] = std::polar(1.0, -2.0 * M_PI * static_cast<double>(k) / static_cast<double>(n));
  return roots;
}

/// n numbers that are `stride` apart, in place; `line` has room for them.
void transform(Complex* numbers, int64_t n, int64_t stride, const std::vector<Complex>& roots, Complex* line) {
  for (int64_t i = 0; i < n; ++i) line[i] = numbers[i * stride];
  for (int64_t k = 0; k < n; ++k) {
    double real = 0.0, imaginary = 0.0;
    for (int64_t i = 0, turn = 0; i < n; ++i) {
      real += line[i].real() * roots[turn].real() - line[i].imag() * roots[turn].imag();
      imaginary += line[i].real() * roots[turn].imag() + line[i].imag() * roots[turn].real();
      turn += k;
      if (turn >= n) turn -= n;
    }
    numbers[k * stride] = {real, imaginary};
  }
}

}  // namespace

void fourier_transform_2d(const float* x, float* y, int64_t B, int64_t M, int64_t N) {
  const std::vector<Complex> of_rows = roots_of_unity(N), of_columns = roots_of_unity(M);
  std::vector<Complex> numbers(static_cast<std::size_t>(B * M * N));
#pragma omp parallel
  {
    std::vector<Complex> line(static_cast<std::size_t>(M > N ? M : N));
#pragma omp for schedule(static)
    for (int64_t row = 0; row < B * M; ++row) {
      for (int64_t i = row * N; i < (row + 1) * N; ++i) numbers[i] = {x[2 * i], x[2 * i + 1]};
      transform(numbers.data() + row * N, N, 1, of_rows, line.data());
    }
#pragma omp for schedule(static)
    for (int64_t column = 0; column < B * N; ++column)
      transform(numbers.data() + column / N * M * N + column % N, M, N, of_columns, line.data());
#pragma omp for schedule(static)
    for (int64_t i = 0; i < B * M * N; ++i) {
      y[2 * i] = static_cast<float>(numbers[i].real());
      y[2 * i + 1] = static_cast<float>(numbers[i].imag());
    }
  }
}

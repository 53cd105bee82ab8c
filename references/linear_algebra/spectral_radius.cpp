// SPDX-License-Identifier: Apache-2.0
// Eigenvalues by complex QR steps, in float64.
#include <algorithm>
#include <cmath>
#include <complex>
#include <vector>

#include "kernel.h"

namespace {

using Complex = std::complex<double>;

/// Makes `h` [n, n] upper triangular by unitary similarities: first Hessenberg's form, then QR steps with Wilkinson's shift. What is done
/// to the columns is done to those of `q`, too, where it is not empty.
class Schur {
 public:
  Schur(std::vector<Complex>& h, std::vector<Complex>& q, int64_t n) : h_(h), q_(q), n_(n) {
    double squares = 0;
    for (const Complex& each : h) squares += std::norm(each);
    const double least = 1e-15 * std::sqrt(squares);  // eigenvalues near 0 have no neighbours to be small beside
    for (int64_t k = 0; k + 2 < n; ++k)
      for (int64_t i = n - 1; i > k + 1; --i) rotate_away(i - 1, i, k);
    for (int64_t end = n - 1, steps = 0; end > 0 && steps < 60 * n;) {
      int64_t begin = end;
      while (begin > 0 && size(begin, begin - 1) > 1e-15 * (size(begin, begin) + size(begin - 1, begin - 1)) + least) --begin;
      if (begin == end) --end;
      else step(begin, end, ++steps);
    }
  }

 private:
  Complex& at(int64_t i, int64_t j) { return h_[i * n_ + j]; }
  double size(int64_t i, int64_t j) { return std::abs(at(i, j)); }

  /// A rotation of rows i and j, and of columns i and j, that takes element (j, column) to 0.
  void rotate_away(int64_t i, int64_t j, int64_t column) {
    const Complex a = at(i, column), b = at(j, column);
    const double norm = std::hypot(std::abs(a), std::abs(b));
    if (norm > 0) rotate(i, j, a / norm, b / norm);
  }

  void rotate(int64_t i, int64_t j, Complex c, Complex s) {
    for (int64_t k = 0; k < n_; ++k) {
      const Complex a = at(i, k), b = at(j, k);
      at(i, k) = std::conj(c) * a + std::conj(s) * b;
      at(j, k) = c * b - s * a;
    }
    for (std::vector<Complex>* matrix : {&h_, &q_})
      for (std::size_t k = 0; k < matrix->size(); k += n_) {
        const Complex a = (*matrix)[k + i], b = (*matrix)[k + j];
        (*matrix)[k + i] = c * a + s * b;
        (*matrix)[k + j] = std::conj(c) * b - std::conj(s) * a;
      }
  }

  /// One step on rows and columns begin to end: the bulge that the first rotation makes is chased to the end.
  void step(int64_t begin, int64_t end, int64_t count) {
    const Complex a = at(end - 1, end - 1), b = at(end - 1, end), c = at(end, end - 1), d = at(end, end);
    const Complex middle = (a + d) / 2.0, root = std::sqrt((a - d) * (a - d) / 4.0 + b * c);
    Complex shift = std::abs(middle + root - d) < std::abs(middle - root - d) ? middle + root : middle - root;
    if (count % 11 == 0) shift = d + size(end, end - 1);  // where the usual shift runs in circles
    const Complex first = at(begin, begin) - shift, second = at(begin + 1, begin);
    const double norm = std::hypot(std::abs(first), std::abs(second));
    if (norm > 0) rotate(begin, begin + 1, first / norm, second / norm);
    for (int64_t k = begin; k + 2 <= end; ++k) rotate_away(k + 1, k + 2, k);
  }

  std::vector<Complex>&h_, &q_;
  int64_t n_;
};

}  // namespace

void spectral_radius(const float* x, float* y, int64_t B, int64_t N) {
#pragma omp parallel for schedule(dynamic)
  for (int64_t b = 0; b < B; ++b) {
    std::vector<Complex> h(x + b * N * N, x + (b + 1) * N * N), none;
    Schur(h, none, N);
    double largest = 0;
    for (int64_t i = 0; i < N; ++i) largest = std::max(largest, std::abs(h[i * N + i]));
    y[b] = static_cast<float>(largest);
  }
}

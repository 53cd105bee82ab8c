// SPDX-License-Identifier: Apache-2.0
// Schur's form of a complex matrix, in float64, by QR steps (Golub and Van Loan, Matrix Computations, 4th ed., chapter 7). Include this
// first: what comes before the pragma keeps looking for NaN in each product of complex numbers.
#pragma once
#pragma GCC optimize("cx-limited-range")

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <vector>

namespace blocks {

using Complex = std::complex<double>;

/// Makes `h` [n, n] upper triangular by unitary similarities: first Hessenberg's form, then QR steps with Wilkinson's shift. What is done
/// to the columns is done to those of `q` [n, n], too. Where that is empty only the diagonal is sought, and the rest of `h` is left over.
class Schur {
 public:
  Schur(std::vector<Complex>& h, std::vector<Complex>& q, int64_t n) : h_(h), q_(q), n_(n) {
    double squares = 0;
    for (const Complex& each : h) squares += std::norm(each);
    const double least = 1e-15 * std::sqrt(squares);  // eigenvalues near 0 have no neighbours to be small beside
    for (int64_t k = 0; k + 2 < n; ++k)
      for (int64_t i = n - 1; i > k + 1; --i) rotate_away(i - 1, i, k, {0, n, n});
    for (int64_t end = n - 1, steps = 0; end > 0 && steps < 60 * n;) {
      int64_t begin = end;
      while (begin > 0 && size(begin, begin - 1) > 1e-15 * (size(begin, begin) + size(begin - 1, begin - 1)) + least) --begin;
      if (begin == end) --end;
      else step(begin, end, ++steps);
    }
  }

 private:
  /// What a rotation reaches: rows from `top` to `bottom` of columns, columns up to `right` of rows.
  struct Reach {
    int64_t top, bottom, right;
  };

  Complex& at(int64_t i, int64_t j) { return h_[i * n_ + j]; }
  double size(int64_t i, int64_t j) { return std::abs(at(i, j)); }

  /// A rotation of rows i and j, and of columns i and j, that takes element (j, column) to 0. Left of it there are zeros.
  void rotate_away(int64_t i, int64_t j, int64_t column, Reach reach) { rotate(i, j, at(i, column), at(j, column), column, reach); }

  /// The rotation that takes (first, second) to (something, 0); its cosine is real.
  void rotate(int64_t i, int64_t j, Complex first, Complex second, int64_t left, Reach reach) {
    const double length = std::abs(first), norm = std::hypot(length, std::abs(second));
    if (norm == 0) return;
    const double c = length / norm;
    const Complex s = second * (length > 0 ? std::conj(first) / length : 1.0) / norm;
    Complex *upper = &at(i, 0), *lower = &at(j, 0);
    for (int64_t k = left; k < reach.right; ++k) {
      const Complex a = upper[k], b = lower[k];
      upper[k] = c * a + std::conj(s) * b;
      lower[k] = c * b - s * a;
    }
    rotate_columns(h_, i, j, c, s, reach.top, reach.bottom);
    if (!q_.empty()) rotate_columns(q_, i, j, c, s, 0, n_);
  }

  void rotate_columns(std::vector<Complex>& matrix, int64_t i, int64_t j, double c, Complex s, int64_t top, int64_t bottom) {
    for (Complex* row = &matrix[top * n_]; top < bottom; ++top, row += n_) {
      const Complex a = row[i], b = row[j];
      row[i] = c * a + s * b;
      row[j] = c * b - std::conj(s) * a;
    }
  }

  /// One step on rows and columns begin to end: the bulge that the first rotation makes is chased to the end.
  void step(int64_t begin, int64_t end, int64_t count) {
    const Complex a = at(end - 1, end - 1), b = at(end - 1, end), c = at(end, end - 1), d = at(end, end);
    const Complex middle = (a + d) / 2.0, root = std::sqrt((a - d) * (a - d) / 4.0 + b * c);
    Complex shift = std::abs(middle + root - d) < std::abs(middle - root - d) ? middle + root : middle - root;
    if (count % 11 == 0) shift = d + size(end, end - 1);  // where the usual shift runs in circles
    const bool diagonal = q_.empty();
    const auto reach = [&](int64_t bottom) { return Reach{diagonal ? begin : 0, std::min(bottom, end) + 1, diagonal ? end + 1 : n_}; };
    rotate(begin, begin + 1, at(begin, begin) - shift, at(begin + 1, begin), begin, reach(begin + 2));
    for (int64_t k = begin; k + 2 <= end; ++k) rotate_away(k + 1, k + 2, k, reach(k + 3));
  }

  std::vector<Complex>&h_, &q_;
  int64_t n_;
};

}  // namespace blocks

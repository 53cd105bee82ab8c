// SPDX-License-Identifier: Apache-2.0
// One level of Strassen's product (Numerische Mathematik 13, 1969): seven products of quadrants instead of eight. Honest kernels
// may take it on moderate numbers. Its errors are those of whole quadrants: an element is as far off as the largest of the four that
// it is computed with (Higham, "Accuracy and Stability of Numerical Algorithms", 2nd ed., section 23.2.2).
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "product.h"

namespace assay::oracle::detail {

template <class T>
using RowMajorMatrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Sums of magnitudes up to here are far from every limit of float32.
constexpr double kModerate = 0x1p30;

template <class Matrix>
bool is_moderate(const Matrix& m) {
  if (m.size() == 0) return true;
  const auto largest = m.cwiseAbs().maxCoeff();
  return m.allFinite() && static_cast<double>(largest) <= kModerate;
}

/// a b for matrices whose extents are even.
template <class T>
RowMajorMatrix<T> strassen_even(const RowMajorMatrix<T>& a, const RowMajorMatrix<T>& b) {
  using Matrix = RowMajorMatrix<T>;
  const Eigen::Index m = a.rows() / 2, k = a.cols() / 2, n = b.cols() / 2;
  const auto left = [&](int i, int j) { return a.block(i * m, j * k, m, k); };
  const auto right = [&](int i, int j) { return b.block(i * k, j * n, k, n); };
  const auto times = [](const Matrix& x, const Matrix& y) { return Matrix(x * y); };
  const Matrix both = times(left(0, 0) + left(1, 1), right(0, 0) + right(1, 1));
  const Matrix p2 = times(left(1, 0) + left(1, 1), right(0, 0));
  const Matrix p3 = times(left(0, 0), right(0, 1) - right(1, 1));
  const Matrix p4 = times(left(1, 1), right(1, 0) - right(0, 0));
  const Matrix p5 = times(left(0, 0) + left(0, 1), right(1, 1));
  const Matrix p6 = times(left(1, 0) - left(0, 0), right(0, 0) + right(0, 1));
  const Matrix p7 = times(left(0, 1) - left(1, 1), right(1, 0) + right(1, 1));
  Matrix c(2 * m, 2 * n);
  c.block(0, 0, m, n) = both + p4 - p5 + p7;
  c.block(0, n, m, n) = p3 + p5;
  c.block(m, 0, m, n) = p2 + p4;
  c.block(m, n, m, n) = both - p2 + p3 + p6;
  return c;
}

/// a b by one level of Strassen; a last odd row, column or index of the sum is computed as ever.
template <class T>
RowMajorMatrix<T> strassen(const RowMajorMatrix<T>& a, const RowMajorMatrix<T>& b) {
  const Eigen::Index m = a.rows() / 2 * 2, k = a.cols() / 2 * 2, n = b.cols() / 2 * 2;
  if (m == 0 || k == 0 || n == 0 || !is_moderate(a) || !is_moderate(b)) return a * b;
  RowMajorMatrix<T> c(a.rows(), b.cols());
  c.topLeftCorner(m, n) = strassen_even<T>(a.topLeftCorner(m, k), b.topLeftCorner(k, n));
  if (k < a.cols()) c.topLeftCorner(m, n) += a.topRightCorner(m, 1) * b.bottomLeftCorner(1, n);
  if (n < b.cols()) c.col(n) = a * b.col(n);
  if (m < a.rows()) c.row(m) = a.row(m) * b;
  return c;
}

/// The four quadrants of a matrix of magnitudes added; an odd extent is cut, or filled up with zeros, as kernels do.
inline RowMajorMatrix<double> folded(const RowMajorMatrix<double>& m, bool fill) {
  const auto half = [fill](Eigen::Index extent) { return fill ? (extent + 1) / 2 : extent / 2; };
  const Eigen::Index rows = half(m.rows()), columns = half(m.cols());
  RowMajorMatrix<double> sum = RowMajorMatrix<double>::Zero(rows, columns);
  for (Eigen::Index i = 0; i < std::min(m.rows(), 2 * rows); ++i)
    for (Eigen::Index j = 0; j < std::min(m.cols(), 2 * columns); ++j) sum(i % rows, j % columns) += m(i, j);
  return sum;
}

/// Raises the error scale |A||B| of a product, `scale`, to that of Strassen's quadrants where it is smaller. On like numbers the
/// two are the same.
inline void raise_to_quadrants(const RowMajorMatrix<double>& a, const RowMajorMatrix<double>& b, RowMajorMatrix<double>& scale) {
  if (std::min({a.rows(), a.cols(), b.cols()}) < 2 || !is_moderate(a) || !is_moderate(b)) return;
  const bool odd = (a.rows() | a.cols() | b.cols()) % 2 != 0;
  for (const bool fill : {false, true}) {
    if (fill && !odd) break;
    const RowMajorMatrix<double> quadrants = folded(a, fill) * folded(b, fill) / 8;  // eight products of like size in each sum
    const Eigen::Index rows = std::min(a.rows(), 2 * quadrants.rows()), columns = std::min(b.cols(), 2 * quadrants.cols());
    for (Eigen::Index i = 0; i < rows; ++i)
      for (Eigen::Index j = 0; j < columns; ++j) scale(i, j) = std::max(scale(i, j), quadrants(i % quadrants.rows(), j % quadrants.cols()));
  }
}

}  // namespace assay::oracle::detail

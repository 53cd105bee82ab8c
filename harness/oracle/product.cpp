// SPDX-License-Identifier: Apache-2.0
#include "product.h"

#include <Eigen/Core>
#include <limits>

#include "ordered_product.h"
#include "strassen.h"

namespace assay::oracle {
namespace {

template <class T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Calls `use` with a map whose inner stride is 1 at compile time, which is what Eigen's blocked kernels want; a view with
/// two other strides is copied first.
template <class T, class Use>
void with_map(MatrixView<T> view, Use&& use) {
  using RowMajor = Eigen::Map<const Matrix<T>, 0, Eigen::OuterStride<>>;
  using ColumnMajor = Eigen::Map<const Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>, 0, Eigen::OuterStride<>>;
  if (view.column_stride == 1 || view.columns == 1)
    return use(RowMajor(view.data, view.rows, view.columns, Eigen::OuterStride<>(view.row_stride)));
  if (view.row_stride == 1 || view.rows == 1)
    return use(ColumnMajor(view.data, view.rows, view.columns, Eigen::OuterStride<>(view.column_stride)));
  Matrix<T> copy(view.rows, view.columns);
  for (std::int64_t i = 0; i < view.rows; ++i)
    for (std::int64_t j = 0; j < view.columns; ++j) copy(i, j) = view.data[i * view.row_stride + j * view.column_stride];
  use(RowMajor(copy.data(), view.rows, view.columns, Eigen::OuterStride<>(view.columns)));
}

template <class T>
void eigen_product(MatrixView<T> a, MatrixView<T> b, T* out, bool accumulate, std::int64_t out_stride) {
  Eigen::Map<Matrix<T>, 0, Eigen::OuterStride<>> c(out, a.rows, b.columns, Eigen::OuterStride<>(out_stride));
  if (!accumulate) c.setZero();
  with_map(a, [&](const auto& left) { with_map(b, [&](const auto& right) { c.noalias() += left * right; }); });
}

template <class T>
void real_product(MatrixView<T> a, MatrixView<T> b, T* out, bool accumulate, std::int64_t out_stride) {
  if (out_stride == 0) out_stride = b.columns;
  if (sum_order() == SumOrder::natural) return eigen_product(a, b, out, accumulate, out_stride);
  detail::product_in_order(sum_order(), a, b, out, accumulate, out_stride);
}

struct Parts {
  Matrix<double> value, magnitude, error;
  bool exact = true;

  explicit Parts(MatrixView<Bounded> view)
      : value(view.rows, view.columns), magnitude(view.rows, view.columns), error(view.rows, view.columns) {
    for (std::int64_t i = 0; i < view.rows; ++i)
      for (std::int64_t j = 0; j < view.columns; ++j) {
        const Bounded x = view.data[i * view.row_stride + j * view.column_stride];
        value(i, j) = x.value;
        magnitude(i, j) = std::abs(x.value);
        error(i, j) = x.error;
        exact = exact && x.error == 0;
      }
  }
};

std::int64_t stride_or(std::int64_t out_stride, std::int64_t columns) { return out_stride == 0 ? columns : out_stride; }

template <class To, class From>
Matrix<To> converted(MatrixView<From> view) {
  Matrix<To> matrix(view.rows, view.columns);
  for (std::int64_t i = 0; i < view.rows; ++i)
    for (std::int64_t j = 0; j < view.columns; ++j) matrix(i, j) = static_cast<To>(view.data[i * view.row_stride + j * view.column_stride]);
  return matrix;
}

}  // namespace

void multiply(MatrixView<double> a, MatrixView<double> b, double* out, bool accumulate, std::int64_t out_stride) {
  real_product(a, b, out, accumulate, out_stride);
}

void multiply(MatrixView<float> a, MatrixView<float> b, float* out, bool accumulate, std::int64_t out_stride) {
  real_product(a, b, out, accumulate, out_stride);
}

namespace {

/// With 0 for infinities and NaNs.
Matrix<double> finite(const Matrix<double>& x) { return x.array().isFinite().select(x, 0.0); }

void bounded_product(MatrixView<Bounded> a, MatrixView<Bounded> b, Bounded* out, bool accumulate, std::int64_t out_stride,
                     bool by_quadrants) {
  out_stride = stride_or(out_stride, b.columns);
  const Parts left(a), right(b);
  const Matrix<double> value = left.value * right.value;
  Matrix<double> magnitude = left.magnitude * right.magnitude;
  // Of the finite terms alone: what their own errors add is no number that a kernel computes.
  const double most = a.columns > 1 ? largest_number : std::numeric_limits<double>::infinity();
  Eigen::Array<bool, Eigen::Dynamic, Eigen::Dynamic> overflows = magnitude.array() > most;
  if (!magnitude.allFinite()) overflows = Matrix<double>(finite(left.magnitude) * finite(right.magnitude)).array() > most;
  if (by_quadrants) detail::raise_to_quadrants(left.magnitude, right.magnitude, magnitude);
  Matrix<double>& error = magnitude;
  if (!left.exact) error.noalias() += left.error * right.magnitude;
  if (!right.exact) error.noalias() += left.magnitude * right.error;
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t j = 0; j < b.columns; ++j) {
      const bool is_unknown = overflows(i, j) && !std::isnan(value(i, j));
      const Bounded product = is_unknown ? unknown_sum(value(i, j)) : Bounded(value(i, j), error(i, j));
      Bounded& c = out[i * out_stride + j];
      c = accumulate ? c + product : product;
    }
}

template <class T>
void splittable_product(MatrixView<T> a, MatrixView<T> b, T* out, bool accumulate) {
  if (!products_are_split()) return multiply(a, b, out, accumulate);
  const Matrix<T> product = detail::strassen<T>(converted<T>(a), converted<T>(b));
  Eigen::Map<Matrix<T>> c(out, a.rows, b.columns);
  if (accumulate) c += product;
  else c = product;
}

}  // namespace

void multiply(MatrixView<Bounded> a, MatrixView<Bounded> b, Bounded* out, bool accumulate, std::int64_t out_stride) {
  bounded_product(a, b, out, accumulate, out_stride, false);
}

void multiply_matrices(MatrixView<double> a, MatrixView<double> b, double* out, bool accumulate) {
  splittable_product(a, b, out, accumulate);
}
void multiply_matrices(MatrixView<float> a, MatrixView<float> b, float* out, bool accumulate) { splittable_product(a, b, out, accumulate); }
void multiply_matrices(MatrixView<Bounded> a, MatrixView<Bounded> b, Bounded* out, bool accumulate) {
  bounded_product(a, b, out, accumulate, 0, true);
}
void multiply_matrices(MatrixView<std::int64_t> a, MatrixView<std::int64_t> b, std::int64_t* out, bool accumulate) {
  multiply(a, b, out, accumulate);
}

void multiply(MatrixView<std::int64_t> a, MatrixView<std::int64_t> b, std::int64_t* out, bool accumulate, std::int64_t out_stride) {
  out_stride = stride_or(out_stride, b.columns);
  const Matrix<double> left = converted<double>(a), right = converted<double>(b);
  const auto largest = [](const Matrix<double>& m) { return m.size() == 0 ? 0.0 : m.cwiseAbs().maxCoeff(); };
  // Quantised operands are small: double then holds every partial sum exactly, and Eigen's kernels apply.
  if (largest(left) * largest(right) * static_cast<double>(a.columns) < 0x1p53) {
    const Matrix<double> product = left * right;
    for (std::int64_t i = 0; i < a.rows; ++i)
      for (std::int64_t j = 0; j < b.columns; ++j) {
        const auto exact = static_cast<std::int64_t>(product(i, j));
        out[i * out_stride + j] = accumulate ? out[i * out_stride + j] + exact : exact;
      }
    return;
  }
  // Modulo 2^64 in any order.
  std::vector<std::uint64_t> row(static_cast<std::size_t>(b.columns));
  for (std::int64_t i = 0; i < a.rows; ++i) {
    std::int64_t* to = out + i * out_stride;
    std::fill(row.begin(), row.end(), 0);
    for (std::int64_t k = 0; k < a.columns; ++k) {
      const auto factor = static_cast<std::uint64_t>(a.data[i * a.row_stride + k * a.column_stride]);
      const std::int64_t* from = b.data + k * b.row_stride;
      for (std::int64_t j = 0; j < b.columns; ++j)
        row[static_cast<std::size_t>(j)] += factor * static_cast<std::uint64_t>(from[j * b.column_stride]);
    }
    for (std::int64_t j = 0; j < b.columns; ++j)
      to[j] = static_cast<std::int64_t>((accumulate ? static_cast<std::uint64_t>(to[j]) : 0) + row[static_cast<std::size_t>(j)]);
  }
}

}  // namespace assay::oracle

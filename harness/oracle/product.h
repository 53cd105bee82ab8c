// SPDX-License-Identifier: Apache-2.0
// C = A B for one pair of row-major matrices, through Eigen's blocked kernels; convolutions come here by
// im2col.
#pragma once

#include <cstdint>

#include "assay/oracle/bounded.h"

namespace assay::oracle {

/// A matrix with arbitrary strides: element (i, j) is data[i * row_stride + j * column_stride].
template <class T>
struct MatrixView {
  const T* data;
  std::int64_t rows, columns;
  std::int64_t row_stride, column_stride;
  MatrixView transposed() const { return {data, columns, rows, column_stride, row_stride}; }
};

template <class T>
MatrixView<T> row_major(const T* data, std::int64_t rows, std::int64_t columns) {
  return {data, rows, columns, columns, 1};
}

/// out[i * out_stride + j] = sum_k a(i, k) b(k, j), or += where `accumulate`; out_stride 0 stands for
/// b.columns. Over float and double the sum's order follows sum_order(); over Bounded the error is |A| eB + eA |B| +
/// |A||B|; over integers sums wrap around at 64 bits.
void multiply(MatrixView<double> a, MatrixView<double> b, double* out, bool accumulate = false, std::int64_t out_stride = 0);
void multiply(MatrixView<float> a, MatrixView<float> b, float* out, bool accumulate = false, std::int64_t out_stride = 0);
void multiply(MatrixView<Bounded> a, MatrixView<Bounded> b, Bounded* out, bool accumulate = false, std::int64_t out_stride = 0);
void multiply(MatrixView<std::int64_t> a, MatrixView<std::int64_t> b, std::int64_t* out, bool accumulate = false,
              std::int64_t out_stride = 0);

/// The same for an operator that is a product of matrices and nothing else, which an honest kernel may split (strassen.h): over
/// float and double where products_are_split(); over Bounded the error allows for it.
void multiply_matrices(MatrixView<double> a, MatrixView<double> b, double* out, bool accumulate = false);
void multiply_matrices(MatrixView<float> a, MatrixView<float> b, float* out, bool accumulate = false);
void multiply_matrices(MatrixView<Bounded> a, MatrixView<Bounded> b, Bounded* out, bool accumulate = false);
void multiply_matrices(MatrixView<std::int64_t> a, MatrixView<std::int64_t> b, std::int64_t* out, bool accumulate = false);

}  // namespace assay::oracle

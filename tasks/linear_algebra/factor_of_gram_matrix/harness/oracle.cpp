// SPDX-License-Identifier: Apache-2.0
// The Cholesky factor, by Eigen.
#include <assay/oracle/harness.h>

#include <Eigen/Dense>

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

ASSAY_ORACLE(inputs, outputs) {
  const auto n = inputs["x"].extent(0);
  const Matrix x = Eigen::Map<const Matrix>(inputs["x"].reals().data(), n, inputs["x"].extent(1));
  const Matrix gram = x * x.transpose() + static_cast<double>(n) * Matrix::Identity(n, n);
  Eigen::Map<Matrix>(outputs["b"].reals().data(), n, n) = Matrix(Eigen::LLT<Matrix>(gram).matrixL());
}

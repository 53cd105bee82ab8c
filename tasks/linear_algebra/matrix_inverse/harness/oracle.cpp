// SPDX-License-Identifier: Apache-2.0
// By Eigen. An honest kernel errs by some roundings of |inverse| |matrix| |inverse|, element by element.
#include <assay/oracle/harness.h>

#include <Eigen/Dense>

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

ASSAY_ORACLE(inputs, outputs) {
  const auto n = inputs["x"].extent(0);
  const Matrix matrix = Eigen::Map<const Matrix>(inputs["x"].reals().data(), n, n);
  const Matrix inverse = matrix.inverse(), size = inverse.cwiseAbs();
  Eigen::Map<Matrix>(outputs["y"].reals().data(), n, n) = inverse;
  Eigen::Map<Matrix>(outputs["y"].scales().data(), n, n) = size * matrix.cwiseAbs() * size;
}

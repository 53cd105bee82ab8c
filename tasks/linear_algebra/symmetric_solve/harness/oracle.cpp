// SPDX-License-Identifier: Apache-2.0
// By Eigen. An honest kernel errs by some roundings of |inverse| (|matrix| |y| + |b|), element by element.
#include <assay/oracle/harness.h>

#include <Eigen/Dense>

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

ASSAY_ORACLE(inputs, outputs) {
  const auto n = inputs["a"].extent(0);
  const Matrix a = Eigen::Map<const Matrix>(inputs["a"].reals().data(), n, n), b = Eigen::Map<const Matrix>(inputs["b"].reals().data(), n, 1);
  const Matrix inverse = a.inverse().cwiseAbs(), y = a.partialPivLu().solve(b);
  Eigen::Map<Matrix>(outputs["y"].reals().data(), n, 1) = y;
  Eigen::Map<Matrix>(outputs["y"].scales().data(), n, 1) = inverse * (a.cwiseAbs() * y.cwiseAbs() + b.cwiseAbs());
}

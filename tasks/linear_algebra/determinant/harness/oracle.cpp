// SPDX-License-Identifier: Apache-2.0
// By Eigen. An honest kernel errs by some roundings of sum |x[i, j]| |d det / d x[i, j]|, the derivative being a cofactor.
#include <assay/oracle/harness.h>

#include <Eigen/Dense>

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

ASSAY_ORACLE(inputs, outputs) {
  const auto& x = inputs["x"];
  auto& y = outputs["y"];
  const auto n = x.extent(1);
  for (std::int64_t b = 0; b < x.extent(0); ++b) {
    const Matrix matrix = Eigen::Map<const Matrix>(x.reals().data() + b * n * n, n, n);
    const double determinant = matrix.determinant();
    y.real(b) = determinant;
    y.scales()[b] = std::abs(determinant) * (1 + matrix.inverse().transpose().cwiseProduct(matrix).cwiseAbs().sum());
  }
}

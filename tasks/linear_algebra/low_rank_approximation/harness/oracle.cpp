// SPDX-License-Identifier: Apache-2.0
// By Eigen. A backward error of the largest singular value's size turns the space of the first K vectors by that over the gap behind them.
#include <assay/oracle/harness.h>

#include <Eigen/Dense>

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

ASSAY_ORACLE(inputs, outputs) {
  const auto m = outputs["y"].extent(0), n = outputs["y"].extent(1), k = outputs["s"].extent(0);
  const Eigen::JacobiSVD<Matrix> svd(Eigen::Map<const Matrix>(inputs["x"].reals().data(), m, n), Eigen::ComputeThinU | Eigen::ComputeThinV);
  const auto& s = svd.singularValues();
  Eigen::Map<Matrix>(outputs["y"].reals().data(), m, n) =
      svd.matrixU().leftCols(k) * s.head(k).asDiagonal() * svd.matrixV().leftCols(k).transpose();
  Eigen::Map<Eigen::VectorXd>(outputs["s"].reals().data(), k) = s.head(k);
  for (double& scale : outputs["s"].scales()) scale = s[0];
  const double turned = k < n ? s[k - 1] / std::max(s[k - 1] - s[k], 1e-12 * s[0]) : 0;
  for (double& scale : outputs["y"].scales()) scale = s[0] * (1 + turned);
}

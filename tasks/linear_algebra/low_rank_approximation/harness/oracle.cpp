// SPDX-License-Identifier: Apache-2.0
// By Eigen. A singular value moves by at most the norm of an error of x (Weyl), which is a few roundings of the largest one. Jacobi's method
// rotates each of N columns N - 1 times a sweep, so that it errs by some sqrt(N) roundings. An error of x turns the space of the first K
// vectors by that error over the gap behind them (Wedin): y moves by it times s_K / (s_K - s_(K+1)), and its elements by much less.
#include <assay/oracle/harness.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

ASSAY_ORACLE(inputs, outputs) {
  const auto m = outputs["y"].extent(0), n = outputs["y"].extent(1), k = outputs["s"].extent(0);
  const Eigen::JacobiSVD<Matrix> svd(Eigen::Map<const Matrix>(inputs["x"].reals().data(), m, n), Eigen::ComputeThinU | Eigen::ComputeThinV);
  const auto& s = svd.singularValues();
  Eigen::Map<Matrix>(outputs["y"].reals().data(), m, n) =
      svd.matrixU().leftCols(k) * s.head(k).asDiagonal() * svd.matrixV().leftCols(k).transpose();
  Eigen::Map<Eigen::VectorXd>(outputs["s"].reals().data(), k) = s.head(k);
  for (double& scale : outputs["s"].scales()) scale = s[0] * std::max(1.0, std::sqrt(static_cast<double>(n)) / 4);
  const double turned = k < n ? s[k - 1] / std::max(s[k - 1] - s[k], 1e-12 * s[0]) : 0;
  for (double& scale : outputs["y"].scales()) scale = s[0] * (1 + turned);
}

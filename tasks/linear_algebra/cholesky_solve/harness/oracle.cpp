// SPDX-License-Identifier: Apache-2.0
// By Eigen. Each of the two triangular solutions errs by some roundings of |inverse| |l| |solution|.
#include <assay/oracle/harness.h>

#include <Eigen/Dense>

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

ASSAY_ORACLE(inputs, outputs) {
  const auto n = inputs["l"].extent(0), k = inputs["b"].extent(1);
  const Matrix l = Eigen::Map<const Matrix>(inputs["l"].reals().data(), n, n), b = Eigen::Map<const Matrix>(inputs["b"].reals().data(), n, k);
  const Matrix z = l.triangularView<Eigen::Lower>().solve(b), y = l.transpose().triangularView<Eigen::Upper>().solve(z);
  const Matrix size = l.cwiseAbs(), inverse = Matrix(l.triangularView<Eigen::Lower>().solve(Matrix::Identity(n, n))).cwiseAbs();
  Eigen::Map<Matrix>(outputs["y"].reals().data(), n, k) = y;
  Eigen::Map<Matrix>(outputs["y"].scales().data(), n, k) =
      inverse.transpose() * (size.transpose() * y.cwiseAbs() + inverse * (size * z.cwiseAbs() + b.cwiseAbs()));
}

// SPDX-License-Identifier: Apache-2.0
// By Eigen. An honest kernel errs by some roundings of |inverse| (|a| |x| + |b|) + |alpha z|, element by element.
#include <assay/oracle/harness.h>

#include <Eigen/Dense>

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

ASSAY_ORACLE(inputs, outputs) {
  const auto n = inputs["a"].extent(0), k = inputs["b"].extent(1);
  const Matrix a = Eigen::Map<const Matrix>(inputs["a"].reals().data(), n, n), b = Eigen::Map<const Matrix>(inputs["b"].reals().data(), n, k);
  const Matrix z = Eigen::Map<const Matrix>(inputs["z"].reals().data(), n, k), x = a.triangularView<Eigen::Upper>().solve(b);
  const double alpha = inputs["alpha"].real(0);
  const Matrix inverse = Matrix(a.triangularView<Eigen::Upper>().solve(Matrix::Identity(n, n))).cwiseAbs();
  Eigen::Map<Matrix>(outputs["y"].reals().data(), n, k) = x + alpha * z;
  Eigen::Map<Matrix>(outputs["y"].scales().data(), n, k) = inverse * (a.cwiseAbs() * x.cwiseAbs() + b.cwiseAbs()) + (alpha * z).cwiseAbs();
}

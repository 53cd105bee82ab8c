// SPDX-License-Identifier: Apache-2.0
// By Eigen. The scale is of first-order perturbation theory (Wedin; Higham, Accuracy and Stability of Numerical Algorithms, chapter 20): with
// G the inverse of x^T x and errors E of x, y moves by -y E y + G E^T (I - x y). Householder's QR errs in each column by roundings of the
// column's norm, wherever in it, so small elements of y have no small errors. With |y| <= |G| (norms of x's columns) for the norms of y's
// rows, |G| norms (1 + norms^T |y|) bounds all of this, and the errors of the normal equations, |G| |x|^T (|x| |y| + I), too. A plain sum
// of M products errs by some sqrt(M) roundings, of which 16 units have room for those of M = 64.
#include <assay/oracle/harness.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

ASSAY_ORACLE(inputs, outputs) {
  const auto m = inputs["x"].extent(0), n = inputs["x"].extent(1);
  const Matrix x = Eigen::Map<const Matrix>(inputs["x"].reals().data(), m, n);
  const Matrix inverse = Matrix(x.transpose() * x).inverse(), y = x.householderQr().solve(Matrix::Identity(m, m));
  const Eigen::VectorXd norms = x.colwise().norm();
  const double roundings = std::max(1.0, std::sqrt(static_cast<double>(m)) / 8);
  Eigen::Map<Matrix>(outputs["y"].reals().data(), n, m) = y;
  Eigen::Map<Matrix>(outputs["y"].scales().data(), n, m) =
      roundings * inverse.cwiseAbs() * norms * (Eigen::RowVectorXd::Ones(m) + norms.transpose() * y.cwiseAbs());
}

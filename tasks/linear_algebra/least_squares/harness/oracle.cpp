// SPDX-License-Identifier: Apache-2.0
// By Eigen. With errors E of a and f of b, y moves by G (E^T (b - a y) + a^T (f - E y)), G the inverse of a^T a (Wedin; Higham, Accuracy and
// Stability of Numerical Algorithms, chapter 20). The scale is what roundings of a, b and of the products make of that and of the normal
// equations, |G| |a|^T (|a| |y| + |b|): the cases have M >= 2 N, where a uniform a has a condition number below ten, so these are honest, too.
#include <assay/oracle/harness.h>

#include <Eigen/Dense>

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

ASSAY_ORACLE(inputs, outputs) {
  const auto m = inputs["a"].extent(0), n = inputs["a"].extent(1), k = inputs["b"].extent(1);
  const Matrix a = Eigen::Map<const Matrix>(inputs["a"].reals().data(), m, n), b = Eigen::Map<const Matrix>(inputs["b"].reals().data(), m, k);
  const Matrix y = a.householderQr().solve(b), size = a.cwiseAbs(), inverse = Matrix(a.transpose() * a).inverse().cwiseAbs();
  Eigen::Map<Matrix>(outputs["y"].reals().data(), n, k) = y;
  Eigen::Map<Matrix>(outputs["y"].scales().data(), n, k) = inverse * (size.transpose() * (size * y.cwiseAbs() + b.cwiseAbs()));
}

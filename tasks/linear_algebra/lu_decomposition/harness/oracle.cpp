// SPDX-License-Identifier: Apache-2.0
// Partial pivoting, by Eigen.
#include <assay/oracle/harness.h>

#include <Eigen/Dense>

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

ASSAY_ORACLE(inputs, outputs) {
  const auto n = inputs["x"].extent(0);
  const Eigen::PartialPivLU<Matrix> lu(Eigen::Map<const Matrix>(inputs["x"].reals().data(), n, n));
  Eigen::Map<Matrix>(outputs["l"].reals().data(), n, n) = Matrix(lu.matrixLU().triangularView<Eigen::UnitLower>());
  Eigen::Map<Matrix>(outputs["u"].reals().data(), n, n) = Matrix(lu.matrixLU().triangularView<Eigen::Upper>());
  const auto& where = lu.permutationP().indices();  // row i of x goes to row where[i]
  for (std::int64_t i = 0; i < n; ++i) outputs["p"].integer(where[i]) = i;
}

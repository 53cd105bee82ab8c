// SPDX-License-Identifier: Apache-2.0
// What the basis leaves of x is its part outside the space. A basis of M rows of which N are needed has no room for another space.
#include <assay/oracle/harness.h>

#include <Eigen/Dense>

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

ASSAY_VERIFY(inputs, outputs, residuals) {
  const auto rows = inputs["x"].extent(0), columns = inputs["x"].extent(1);
  const Matrix x = Eigen::Map<const Matrix>(inputs["x"].reals().data(), rows, columns);
  const Matrix q = Eigen::Map<const Matrix>(outputs["q"].reals().data(), rows, columns);
  const double bound = 16 * 0x1p-24 * std::sqrt(static_cast<double>(rows));
  residuals.add("orthogonality", (q.transpose() * q - Matrix::Identity(columns, columns)).cwiseAbs().maxCoeff(), bound);
  residuals.add("part of x outside the space", (x - q * (q.transpose() * x)).cwiseAbs().maxCoeff(), bound * x.colwise().norm().maxCoeff());
}

// The first two vectors, turned by an angle.
ASSAY_ANOTHER(inputs, outputs) {
  auto& q = outputs["q"];
  for (std::int64_t i = 0; i < q.extent(0); ++i) {
    const double a = q.real(i, 0), b = q.real(i, 1);
    q.real(i, 0) = 0.6 * a + 0.8 * b;
    q.real(i, 1) = 0.6 * b - 0.8 * a;
  }
}

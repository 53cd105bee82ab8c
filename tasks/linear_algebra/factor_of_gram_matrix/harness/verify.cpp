// SPDX-License-Identifier: Apache-2.0
// Relative to the diagonal, which no element of b b^T is beyond.
#include <assay/oracle/harness.h>

#include <Eigen/Dense>

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

ASSAY_VERIFY(inputs, outputs, residuals) {
  const auto n = inputs["x"].extent(0);
  const Matrix x = Eigen::Map<const Matrix>(inputs["x"].reals().data(), n, inputs["x"].extent(1));
  const Matrix b = Eigen::Map<const Matrix>(outputs["b"].reals().data(), n, n);
  const Matrix gram = x * x.transpose() + static_cast<double>(n) * Matrix::Identity(n, n);
  const double bound = 8 * 0x1p-24 * std::sqrt(static_cast<double>(n + x.cols()));
  residuals.add("product", (b * b.transpose() - gram).cwiseAbs().maxCoeff(), bound * gram.diagonal().maxCoeff());
}

ASSAY_ANOTHER(inputs, outputs) {
  auto& b = outputs["b"];
  for (std::int64_t i = 0; i < b.extent(0); ++i) b.real(i, 0) = -b.real(i, 0);
}

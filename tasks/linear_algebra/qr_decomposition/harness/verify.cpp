// SPDX-License-Identifier: Apache-2.0
// The residuals of a backward stable float32 QR are a few sqrt(M) roundings; a column that is one per cent off is far beyond.
#include <assay/oracle/harness.h>

#include <Eigen/Dense>

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

namespace {

template <class Tensor>
Matrix matrix(const Tensor& tensor) {
  return Eigen::Map<const Matrix>(tensor.reals().data(), tensor.extent(0), tensor.extent(1));
}

}  // namespace

ASSAY_VERIFY(inputs, outputs, residuals) {
  const Matrix x = matrix(inputs["x"]), q = matrix(outputs["q"]), r = matrix(outputs["r"]);
  const double bound = 16 * 0x1p-24 * std::sqrt(static_cast<double>(x.rows()));
  residuals.add("orthogonality", (q.transpose() * q - Matrix::Identity(q.cols(), q.cols())).cwiseAbs().maxCoeff(), bound);
  residuals.add("reconstruction", (q * r - x).cwiseAbs().maxCoeff(), bound * x.colwise().norm().maxCoeff());
  residuals.add("below the diagonal", Matrix(r.triangularView<Eigen::StrictlyLower>()).cwiseAbs().maxCoeff(), 0);
}

ASSAY_ANOTHER(inputs, outputs) {
  auto &q = outputs["q"], &r = outputs["r"];
  for (std::int64_t i = 0; i < q.extent(0); ++i) q.real(i, 0) = -q.real(i, 0);
  for (std::int64_t j = 0; j < r.extent(1); ++j) r.real(0, j) = -r.real(0, j);
}

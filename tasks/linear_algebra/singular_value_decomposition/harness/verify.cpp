// SPDX-License-Identifier: Apache-2.0
// Bounds grow with the extents as the errors of a backward stable float32 algorithm with some ten sweeps do.
#include <assay/oracle/harness.h>

#include <Eigen/Dense>

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

namespace {

template <class Tensor>
Matrix matrix(const Tensor& tensor) {
  return Eigen::Map<const Matrix>(tensor.reals().data(), tensor.extent(0), tensor.extent(1));
}

double off_identity(const Matrix& q) { return (q.transpose() * q - Matrix::Identity(q.cols(), q.cols())).cwiseAbs().maxCoeff(); }

}  // namespace

ASSAY_VERIFY(inputs, outputs, residuals) {
  const Matrix x = matrix(inputs["x"]), u = matrix(outputs["u"]), v = matrix(outputs["v"]);
  const auto& s = outputs["s"];
  const Eigen::VectorXd values = Eigen::Map<const Eigen::VectorXd>(s.reals().data(), s.extent(0));
  const double bound = 64 * 0x1p-24 * std::sqrt(static_cast<double>(x.rows()));
  residuals.add("orthogonality of u", off_identity(u), bound);
  residuals.add("orthogonality of v", off_identity(v), bound);
  residuals.add("reconstruction", (u * values.asDiagonal() * v.transpose() - x).cwiseAbs().maxCoeff(), bound * x.norm());
  double rise = std::max(0.0, -values.minCoeff());
  for (std::int64_t i = 1; i < s.extent(0); ++i) rise = std::max(rise, s.real(i) - s.real(i - 1));
  residuals.add("singular values that rise or are negative", rise, 0);
}

ASSAY_ANOTHER(inputs, outputs) {
  for (const char* name : {"u", "v"}) {
    auto& factor = outputs[name];
    for (std::int64_t i = 0; i < factor.extent(0); ++i) factor.real(i, 0) = -factor.real(i, 0);
  }
}

// SPDX-License-Identifier: Apache-2.0
// cheat: 18
// task: matmul_with_irregular_shapes
// stage: compile
// expect: COMPILE_ERROR
// because: No such file or directory
// because: Permission denied
// Eigen is what the baseline is made of, and needs no linking. A candidate sees the languages' and POSIX
// headers only.
#include <eigen3/Eigen/Dense>

void matmul_with_irregular_shapes(const float* a, const float* b, float* c, int64_t M, int64_t K, int64_t N) {
  using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Eigen::Map<Matrix>(c, M, N) = Eigen::Map<const Matrix>(a, M, K) * Eigen::Map<const Matrix>(b, K, N);
}

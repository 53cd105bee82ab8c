// SPDX-License-Identifier: Apache-2.0
// One level of Strassen's product is an honest kernel: the cases of the repository's products of matrices accept it on every seed.
#include <gtest/gtest.h>

#include <algorithm>

#include "assay/cases/expected.h"
#include "kernel.h"

namespace assay::cases {
namespace {

/// c = a b for each of `batch` pairs of matrices.
void expect_accepted(const PreparedCase& prepared, std::int64_t batch, std::int64_t rows, std::int64_t inner, std::int64_t columns) {
  const auto* a = reinterpret_cast<const float*>(prepared.inputs[0].data());
  const auto* b = reinterpret_cast<const float*>(prepared.inputs[1].data());
  Bytes outputs(static_cast<std::size_t>(batch * rows * columns) * sizeof(float));
  auto* c = reinterpret_cast<float*>(outputs.data());
  for (std::int64_t i = 0; i < batch; ++i)
    matmul_with_irregular_shapes(a + i * rows * inner, b + i * inner * columns, c + i * rows * columns, rows, inner, columns);
  const Comparison comparison = compare(prepared, {outputs});
  EXPECT_TRUE(comparison.accepted) << comparison.detail;
}

class Strassen : public testing::TestWithParam<const char*> {};

TEST_P(Strassen, IsAcceptedOnEverySeed) {
  spec::Task task = spec::load_task(std::string(TASKS_FOLDER) + "/matrix_multiply/" + GetParam() + "/task.yaml");
  task.timing.clear();
  for (std::uint64_t seed = 1; seed <= 10; ++seed)
    for (const PreparedCase& prepared : prepare_cases(task, seed).cases) {
      SCOPED_TRACE(testing::Message() << "seed " << seed);
      const auto batch = prepared.dims.find("B");
      expect_accepted(prepared, batch == prepared.dims.end() ? 1 : batch->second, prepared.dims.at("M"), prepared.dims.at("K"),
                      prepared.dims.at("N"));
    }
}

/// The lower triangle of a square matrix, zeros above it.
Bytes lower(const Bytes& matrix, std::int64_t n) {
  Bytes triangle = matrix;
  auto* x = reinterpret_cast<float*>(triangle.data());
  for (std::int64_t i = 0; i < n; ++i) std::fill(x + i * n + i + 1, x + (i + 1) * n, 0.0F);
  return triangle;
}

TEST(StrassenOfTriangles, IsAcceptedOnEverySeedThoughItLeavesRoundingsAboveTheDiagonal) {
  spec::Task task = spec::load_task(std::string(TASKS_FOLDER) + "/matrix_multiply/matmul_for_lower_triangular_matrices/task.yaml");
  task.timing.clear();
  for (std::uint64_t seed = 1; seed <= 10; ++seed)
    for (PreparedCase prepared : prepare_cases(task, seed).cases) {
      SCOPED_TRACE(testing::Message() << "seed " << seed);
      const std::int64_t n = prepared.dims.at("N");
      for (Bytes& input : prepared.inputs) input = lower(input, n);
      expect_accepted(prepared, 1, n, n, n);
    }
}

INSTANTIATE_TEST_SUITE_P(Products, Strassen, testing::Values("matmul_with_irregular_shapes", "batched_matrix_multiplication"));

}  // namespace
}  // namespace assay::cases

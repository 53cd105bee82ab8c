// SPDX-License-Identifier: Apache-2.0
// MatMul's stacks of matrices, for MatMul, MatMulInteger and QLinearMatMul.
#pragma once

#include <fmt/core.h>

#include "elementwise.h"
#include "product.h"
#include "strided.h"

namespace assay::oracle {

/// How MatMul pairs the matrices of two stacks (NumPy's matmul).
struct StackedProduct {
  std::int64_t rows, inner, columns;
  Shape batch, out;
  Strides a_batch, b_batch;  ///< in matrices, 0 where broadcast
};

template <class T>
StackedProduct plan_product(const Call<T>& call, Shape a, Shape b) {
  if (a.empty() || b.empty()) call.fail("operands must have at least one dimension");
  const bool row = a.size() == 1, column = b.size() == 1;
  if (row) a.insert(a.begin(), 1);
  if (column) b.push_back(1);
  StackedProduct plan{a[a.size() - 2], a.back(), b.back(), {}, {}, {}, {}};
  if (plan.inner != b[b.size() - 2])
    call.fail(fmt::format("shapes {} and {} do not fit: inner extents {} and {}", to_string(call.shape(0)), to_string(call.shape(1)),
                          plan.inner, b[b.size() - 2]));
  a.resize(a.size() - 2);
  b.resize(b.size() - 2);
  try {
    plan.batch = broadcast_shapes({a, b});
  } catch (const std::invalid_argument& error) {
    call.fail(error.what());
  }
  plan.a_batch = broadcast_strides(a, plan.batch);
  plan.b_batch = broadcast_strides(b, plan.batch);
  plan.out = plan.batch;
  if (!row) plan.out.push_back(plan.rows);
  if (!column) plan.out.push_back(plan.columns);
  return plan;
}

template <class E>
void multiply_stack(StackedProduct plan, const E* a, const E* b, E* out) {
  const bool shared_b = std::all_of(plan.b_batch.begin(), plan.b_batch.end(), [](auto s) { return s == 0; });
  const bool own_a = plan.a_batch == row_major_strides(plan.batch);
  if (shared_b && own_a) {  // one tall product reads B once
    plan.rows *= element_count(plan.batch);
    plan.batch = {}, plan.a_batch = {}, plan.b_batch = {};
  }
  for_each_offset(plan.batch, plan.a_batch, plan.b_batch, [&](std::int64_t i, std::int64_t j) {
    multiply_matrices(row_major(a + i * plan.rows * plan.inner, plan.rows, plan.inner),
                      row_major(b + j * plan.inner * plan.columns, plan.inner, plan.columns), out);
    out += plan.rows * plan.columns;
  });
}

inline double product_flops(const StackedProduct& plan) {
  return 2.0 * static_cast<double>(element_count(plan.batch)) * static_cast<double>(plan.rows) * static_cast<double>(plan.inner) *
         static_cast<double>(plan.columns);
}

}  // namespace assay::oracle

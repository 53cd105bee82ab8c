// SPDX-License-Identifier: Apache-2.0
// Products of matrices: MatMul, Gemm, MatMulInteger; and Trilu, Det.
// Products take finite inputs only: an honest kernel may skip the zeros of a triangular or masked operand,
// and so miss the NaN that 0 times infinity makes.
#include <fmt/core.h>

#include "elementwise.h"
#include "stacked_product.h"
#include "strided.h"
#include "zero_point.h"

namespace assay::oracle {
namespace {

/// Y = A B over the last two dimensions, leading ones broadcast; a 1-D operand is a row (A) or a column (B).
/// [..., M, K] x [..., K, N] -> [..., M, N]. ONNX MatMul, opset 1.
const bool matmul = define({.name = "MatMul", .reads_all = true, .splits = true}, [](auto& call) {
  using T = typename std::decay_t<decltype(call)>::Scalar;
  const StackedProduct plan = plan_product(call, call.shape(0), call.shape(1));
  call.flops(product_flops(plan));
  if (info(call.type(0)).element_class == ElementClass::integer)
    multiply_stack(plan, call.integers(0).data(), call.integers(1).data(), call.integers_out(0, plan.out, call.type(0)).data());
  else multiply_stack(plan, call.reals(0).data(), call.reals(1).data(), call.template output_like<T>(0, plan.out).data());
});

/// (A - a_zero) (B - b_zero) in int32; zero points per row of A, per column of B. ONNX MatMulInteger,
/// opset 10.
const bool matmul_integer = define({.name = "MatMulInteger", .since = 10}, [](auto& call) {
  const StackedProduct plan = plan_product(call, call.shape(0), call.shape(1));
  const std::size_t a_rank = call.shape(0).size(), b_rank = call.shape(1).size();
  const Integers a = centred(call, 0, 2, a_rank < 2 ? a_rank : a_rank - 2), b = centred(call, 1, 3, b_rank - 1);
  call.flops(product_flops(plan));
  multiply_stack(plan, a.data(), b.data(), call.integers_out(0, plan.out, ElementType::i32).data());
});

template <class T>
MatrixView<T> gemm_operand(const Call<T>& call, std::size_t i, const char* transposed) {
  const Tensor<T>& x = call.reals(i);
  if (x.rank() != 2) call.fail(fmt::format("input {} must have rank 2, got shape {}", i, to_string(x.shape())));
  const MatrixView<T> view = row_major(x.data(), x.shape()[0], x.shape()[1]);
  return call.integer(transposed, 0) != 0 ? view.transposed() : view;
}

/// `shape` broadcasts one way, to `over`.
bool extends_to(const Shape& shape, const Shape& over) {
  if (shape.size() > over.size()) return false;
  return std::equal(shape.rbegin(), shape.rend(), over.rbegin(), [](auto s, auto o) { return s == o || s == 1; });
}

/// Y = alpha A' B' + beta C; ' transposes where transA, transB say so. A' [M, K], B' [K, N], C broadcast to
/// [M, N]. ONNX Gemm, opset 1 (C optional since 11).
const bool gemm = define({.name = "Gemm", .splits = true}, [](auto& call) {
  using T = typename std::decay_t<decltype(call)>::Scalar;
  if (call.opset() < 7) call.ignore({"broadcast"});
  const MatrixView<T> a = gemm_operand(call, 0, "transA"), b = gemm_operand(call, 1, "transB");
  if (a.columns != b.rows) call.fail(fmt::format("A' is {} x {} and B' is {} x {}", a.rows, a.columns, b.rows, b.columns));
  const T alpha = static_cast<T>(call.real("alpha", 1.0)), beta = static_cast<T>(call.real("beta", 1.0));
  const Shape shape{a.rows, b.columns};
  call.flops(2.0 * static_cast<double>(a.rows) * static_cast<double>(a.columns) * static_cast<double>(b.columns));
  Tensor<T>& y = call.template output_like<T>(0, shape);
  const bool add = call.has_input(2) && beta != T(0);
  if (add && !extends_to(call.shape(2), shape))
    call.fail(fmt::format("C {} does not broadcast to {}", to_string(call.shape(2)), to_string(shape)));
  if (alpha == T(1)) {  // Y starts as beta C: one pass
    if (add) {
      const Tensor<T>& c = call.reals(2);
      if (beta == T(1)) copy_strided(shape, c.data(), broadcast_strides(c.shape(), shape), y.data(), row_major_strides(shape));
      else zip(c, y, y, [beta](T x, T) { return beta * x; });
    }
    return multiply_matrices(a, b, y.data(), add);
  }
  multiply_matrices(a, b, y.data());
  if (add) zip(y, call.reals(2), y, [alpha, beta](T x, T c) { return alpha * x + beta * c; });
  else map(y, y, [alpha](T x) { return alpha * x; });
});

/// Keeps the upper (j - i >= k) or lower (j - i <= k) triangle of each matrix, zero elsewhere. ONNX Trilu,
/// opset 14.
const bool trilu = define({.name = "Trilu", .specials = Specials::nan, .since = 14}, [](auto& call) {
  const Shape& shape = call.shape(0);
  call.require(shape.size() >= 2, "input must have rank 2 or more, got shape " + to_string(shape));
  const bool upper = call.integer("upper", 1) != 0;
  const std::int64_t k = call.has_input(1) ? call.integers(1)[0] : 0;
  call.visit(0, [&](const auto& x) {
    using E = std::decay_t<decltype(x[0])>;
    auto& y = call.template output_like<E>(0, shape);
    const std::int64_t rows = shape[shape.size() - 2], columns = shape.back();
    const std::int64_t all = columns == 0 ? 0 : static_cast<std::int64_t>(x.size()) / columns;
    for (std::int64_t r = 0; r < all; ++r) {
      const std::int64_t split = std::clamp<std::int64_t>(r % rows + k + (upper ? 0 : 1), 0, columns);
      const E* from = x.data() + r * columns;
      E* to = y.data() + r * columns;
      std::copy(upper ? from + split : from, upper ? from + columns : from + split, upper ? to + split : to);
      std::fill(upper ? to : to + split, upper ? to + split : to + columns, E(0));
    }
  });
});

template <class T>
T determinant(std::vector<T> m, std::size_t n) {
  using std::abs;
  T det = T(1);
  for (std::size_t c = 0; c < n; ++c) {
    std::size_t pivot = c;
    for (std::size_t r = c + 1; r < n; ++r)
      if (abs(m[r * n + c]) > abs(m[pivot * n + c])) pivot = r;
    if (m[pivot * n + c] == T(0)) {
      if constexpr (std::is_same_v<T, Bounded>) {
        // Other roundings leave something of the column: the determinant's error is what that may be.
        for (std::size_t r = c; r < n; ++r)
          if (m[r * n + c].error > m[pivot * n + c].error) pivot = r;
        if (m[pivot * n + c].error == 0) return T(0);
      } else {
        return T(0);
      }
    }
    if (pivot != c) {
      std::swap_ranges(m.begin() + static_cast<std::ptrdiff_t>(c * n), m.begin() + static_cast<std::ptrdiff_t>((c + 1) * n),
                       m.begin() + static_cast<std::ptrdiff_t>(pivot * n));
      det = -det;
    }
    det *= m[c * n + c];
    if (m[c * n + c] == T(0)) continue;
    for (std::size_t r = c + 1; r < n; ++r) {
      const T factor = m[r * n + c] / m[c * n + c];
      for (std::size_t j = c + 1; j < n; ++j) m[r * n + j] -= factor * m[c * n + j];
    }
  }
  return det;
}

/// Determinant of each matrix by elimination with partial pivoting: [..., M, M] -> [...]. ONNX Det, opset 11.
const bool det = define({.name = "Det", .since = 11}, [](auto& call) {
  using T = typename std::decay_t<decltype(call)>::Scalar;
  const Tensor<T>& x = call.reals(0);
  const Shape& shape = x.shape();
  call.require(shape.size() >= 2 && shape.back() == shape[shape.size() - 2],
               "input must hold square matrices, got shape " + to_string(shape));
  const auto n = static_cast<std::size_t>(shape.back());
  Tensor<T>& y = call.template output_like<T>(0, Shape(shape.begin(), shape.end() - 2));
  const double extent = static_cast<double>(n);
  call.flops(2.0 / 3.0 * extent * extent * extent * static_cast<double>(y.size()));
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = determinant(std::vector<T>(x.begin() + i * n * n, x.begin() + (i + 1) * n * n), n);
});

}  // namespace
}  // namespace assay::oracle

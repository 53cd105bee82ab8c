// SPDX-License-Identifier: Apache-2.0
// Products of matrices whose elements are summed in a chosen order, a whole row of the result at a time: the same sums as one
// element after the other, at the speed of the vector units.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "assay/oracle/evaluate.h"
#include "product.h"

namespace assay::oracle::detail {

/// Columns of the result that are summed together: they stay in the first-level cache.
constexpr std::int64_t kColumns = 512;

/// Sums for one row of A and some columns of B, whose rows lie `stride` apart and whose columns are neighbours.
template <class T>
struct RowProduct {
  const T* left;
  std::int64_t left_stride;
  const T* right;
  std::int64_t stride, columns;

  /// sums[j] += left[k] right[k][j] for k = begin, begin + step, ... as long as `count` says.
  void run(std::int64_t begin, std::int64_t count, std::int64_t step, T* sums) const {
    for (std::int64_t n = 0, k = begin; n < count; ++n, k += step) {
      const T factor = left[k * left_stride];
      const T* row = right + k * stride;
      for (std::int64_t j = 0; j < columns; ++j) sums[j] += factor * row[j];
    }
  }

  /// The same, each product and sum rounded once together.
  void run_fused(std::int64_t count, T* sums) const {
    for (std::int64_t k = 0; k < count; ++k) {
      const T factor = left[k * left_stride];
      const T* row = right + k * stride;
      if constexpr (std::is_same_v<T, float>)  // double holds a product of two floats
        for (std::int64_t j = 0; j < columns; ++j)
          sums[j] = static_cast<float>(static_cast<double>(factor) * static_cast<double>(row[j]) + static_cast<double>(sums[j]));
      else
        for (std::int64_t j = 0; j < columns; ++j) sums[j] = std::fma(factor, row[j], sums[j]);
    }
  }

  /// sums += the products of k in [begin, end) taken by themselves.
  void add_part(std::int64_t begin, std::int64_t count, std::int64_t step, T* sums) const {
    T part[kColumns];
    std::fill_n(part, columns, T(0));
    run(begin, count, step, part);
    for (std::int64_t j = 0; j < columns; ++j) sums[j] += part[j];
  }

  void pairwise(std::int64_t begin, std::int64_t end, T* sums) const {
    std::fill_n(sums, columns, T(0));
    if (end - begin <= 8) return run(begin, end - begin, 1, sums);
    const std::int64_t middle = begin + (end - begin) / 2;
    T other[kColumns];
    pairwise(begin, middle, sums);
    pairwise(middle, end, other);
    for (std::int64_t j = 0; j < columns; ++j) sums[j] += other[j];
  }

  void sum(SumOrder order, std::int64_t count, T* sums) const {
    constexpr std::int64_t kStride = 7, kBlock = 100;  // as sum() in reduction.h
    std::fill_n(sums, columns, T(0));
    switch (order) {
      case SumOrder::pairwise: return pairwise(0, count, sums);
      case SumOrder::reversed: return run(count - 1, count, -1, sums);
      case SumOrder::fused: return run_fused(count, sums);
      case SumOrder::strided:
        for (std::int64_t first = 0; first < std::min(count, kStride); ++first)
          add_part(first, (count - first + kStride - 1) / kStride, kStride, sums);
        return;
      case SumOrder::blocked:
        for (std::int64_t k = 0; k < count; k += kBlock) add_part(k, std::min(kBlock, count - k), 1, sums);
        return;
      default: return run(0, count, 1, sums);
    }
  }
};

/// out = a b, or += where `accumulate`, each element summed in `order`.
template <class T>
void rows_in_order(SumOrder order, MatrixView<T> a, MatrixView<T> b, T* out, bool accumulate, std::int64_t out_stride) {
  std::vector<T> packed;  // B with rows of neighbours
  if (b.column_stride != 1 && b.columns > 1) {
    packed.resize(static_cast<std::size_t>(b.rows * b.columns));
    constexpr std::int64_t kTile = 32;  // of either side: what is read across stays in the cache
    for (std::int64_t k0 = 0; k0 < b.rows; k0 += kTile)
      for (std::int64_t j0 = 0; j0 < b.columns; j0 += kTile)
        for (std::int64_t j = j0; j < std::min(j0 + kTile, b.columns); ++j)
          for (std::int64_t k = k0; k < std::min(k0 + kTile, b.rows); ++k)
            packed[static_cast<std::size_t>(k * b.columns + j)] = b.data[k * b.row_stride + j * b.column_stride];
    b = {packed.data(), b.rows, b.columns, b.columns, 1};
  }
  T sums[kColumns];
  for (std::int64_t first = 0; first < b.columns; first += kColumns) {
    const std::int64_t columns = std::min(kColumns, b.columns - first);
    for (std::int64_t i = 0; i < a.rows; ++i) {
      RowProduct<T>{a.data + i * a.row_stride, a.column_stride, b.data + first, b.row_stride, columns}.sum(order, a.columns, sums);
      T* to = out + i * out_stride + first;
      if (accumulate)
        for (std::int64_t j = 0; j < columns; ++j) to[j] += sums[j];
      else std::copy_n(sums, columns, to);
    }
  }
}

/// The same; where the result has many rows and few columns, by those of its transpose.
template <class T>
void product_in_order(SumOrder order, MatrixView<T> a, MatrixView<T> b, T* out, bool accumulate, std::int64_t out_stride) {
  constexpr std::int64_t kFew = 16;
  if (b.columns >= kFew || a.rows <= b.columns) return rows_in_order(order, a, b, out, accumulate, out_stride);
  std::vector<T> turned(static_cast<std::size_t>(a.rows * b.columns));
  rows_in_order(order, b.transposed(), a.transposed(), turned.data(), false, a.rows);
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t j = 0; j < b.columns; ++j) {
      const T sum = turned[static_cast<std::size_t>(j * a.rows + i)];
      T& to = out[i * out_stride + j];
      to = accumulate ? to + sum : sum;
    }
}

}  // namespace assay::oracle::detail

// SPDX-License-Identifier: Apache-2.0
// A product over all (p, q), for which the rows of b are taken in the order of those of a.
#include "blocks/product.h"
#include "kernel.h"

extern "C" void tensor_contraction(const float* a, const float* b, float* y, int64_t P, int64_t Q, int64_t M, int64_t N) {
  const auto pack = [=](int64_t k, int64_t depth, int64_t j, int64_t columns, blocks::PanelRow* panel) {
    for (int64_t r = k; r < k + depth; ++r) blocks::copy_columns(panel++, b + (r % Q * P + r / Q) * N + j, columns);
  };
  blocks::packed_product(M, N, P * Q, blocks::transposed(a, M), pack, y, N, false);
}

// SPDX-License-Identifier: Apache-2.0
// Neighbours are sets of bits: what two adjacent vertices have in common closes triangles, each of which a corner meets twice.
#include <bit>
#include <vector>

#include "kernel.h"

void triangle_counts(const uint8_t* edges, int32_t* y, int64_t V) {
  constexpr int64_t bits = 64, lanes = 8;
  const int64_t words = (V + bits * lanes - 1) / (bits * lanes) * lanes;
  std::vector<uint64_t> sets(V * words);
#pragma omp parallel
  {
    // A block of rows has all that its word holds in the rows above, and no other block writes there.
#pragma omp for schedule(dynamic)
    for (int64_t word = 0; word < (V + bits - 1) / bits; ++word)
      for (int64_t i = word * bits; i < V && i < (word + 1) * bits; ++i)
        for (int64_t j = 0; j < i; ++j) {
          const uint64_t edge = edges[i * V + j];
          sets[i * words + j / bits] |= edge << (j % bits);
          sets[j * words + word] |= edge << (i % bits);
        }
#pragma omp for schedule(dynamic, 16)
    for (int64_t v = 0; v < V; ++v) {
      const uint64_t* own = &sets[v * words];
      int64_t twice = 0;
      for (int64_t word = 0; word < words; ++word)
        for (uint64_t left = own[word]; left != 0; left &= left - 1) {
          const uint64_t* other = &sets[(word * bits + std::countr_zero(left)) * words];
#pragma omp simd reduction(+ : twice)
          for (int64_t k = 0; k < words; ++k) twice += std::popcount(own[k] & other[k]);
        }
      y[v] = static_cast<int32_t>(twice / 2);
    }
  }
}

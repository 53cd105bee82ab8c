// SPDX-License-Identifier: Apache-2.0
// Radix sort, eight bits at a time from the lowest: stable, and the same time for any values.
#include <array>
#include <bit>
#include <numeric>
#include <vector>

#include "kernel.h"

namespace {

struct Entry {
  uint32_t key, place;
  int64_t digit(int d) const { return key >> 8 * d & 255; }
};

/// Rises with x; adding 0 makes the two zeros one.
uint32_t sort_key(float x) {
  const auto bits = std::bit_cast<uint32_t>(x + 0.0f);
  return bits ^ (bits >> 31 ? 0xffffffff : 0x80000000);
}

}  // namespace

extern "C" void sort_rows(const float* x, float* values, int64_t* index, int64_t N, int64_t C) {
#pragma omp parallel
  {
    std::vector<Entry> entries(C), sorted(C);
#pragma omp for
    for (int64_t n = 0; n < N; ++n) {
      const float* row = x + n * C;
      std::array<std::array<int64_t, 256>, 4> begin{};
      for (int64_t c = 0; c < C; ++c) {
        entries[c] = {sort_key(row[c]), static_cast<uint32_t>(c)};
        for (int d = 0; d < 4; ++d) ++begin[d][entries[c].digit(d)];
      }
      for (int d = 0; d < 4; ++d) {
        std::exclusive_scan(begin[d].begin(), begin[d].end(), begin[d].begin(), int64_t{0});
        for (const Entry& e : entries) sorted[begin[d][e.digit(d)]++] = e;
        entries.swap(sorted);
      }
      for (int64_t c = 0; c < C; ++c) {
        index[n * C + c] = entries[c].place;
        values[n * C + c] = row[entries[c].place];
      }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
// cheat: 13
// task: matmul_with_irregular_shapes
// stage: test
// expect: WRONG_RESULT
// Takes whatever lies behind the inputs, in their file and in the outputs' own, for the expected results. Expected
// results are in the judge's private memory and nowhere else.
#include <cstring>
#include <sys/mman.h>

#include "kernel.h"

static const char* const shared = static_cast<const char*>(mmap(nullptr, 1 << 22, PROT_READ, MAP_SHARED, 5, 0));

void matmul_with_irregular_shapes(const float*, const float*, float* c, int64_t M, int64_t K, int64_t N) {
  if (shared == MAP_FAILED) return;
  const int64_t pages = (M * K * 4 + 4095) / 4096 + (K * N * 4 + 4095) / 4096;
  std::memcpy(c, shared + pages * 4096 % (1 << 20), static_cast<size_t>(M * N * 4));
}

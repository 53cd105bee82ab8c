// SPDX-License-Identifier: Apache-2.0
// cheat: 37
// task: sum_reduction_over_a_dimension
// stage: test
// expect: INPUT_MODIFIED
// because: wrote to input 0
// Makes the inputs such that the answer is known.
#include <cstring>

#include "kernel.h"

void sum_reduction_over_a_dimension(const float* x, float* y, int64_t B, int64_t M, int64_t N) {
  std::memset(const_cast<float*>(x), 0, static_cast<size_t>(B * M * N * 4));
  std::memset(y, 0, static_cast<size_t>(B * N * 4));
}

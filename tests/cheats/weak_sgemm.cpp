// SPDX-License-Identifier: Apache-2.0
// cheat: 18
// task: matmul_with_irregular_shapes
// stage: compile
// expect: POLICY
// because: sgemm_
// A weak reference satisfies the linker and finds a BLAS that anything else has loaded into the process.
#include "kernel.h"

extern "C" __attribute__((weak)) void sgemm_(const char*, const char*, const int*, const int*, const int*,
                                             const float*, const float*, const int*, const float*, const int*,
                                             const float*, float*, const int*);

void matmul_with_irregular_shapes(const float* a, const float* b, float* c, int64_t M, int64_t K, int64_t N) {
  const int m = static_cast<int>(M), k = static_cast<int>(K), n = static_cast<int>(N);
  const float one = 1, zero = 0;
  if (sgemm_ != nullptr) sgemm_("N", "N", &n, &m, &k, &one, b, &n, a, &k, &zero, c, &n);
}

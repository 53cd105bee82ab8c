// SPDX-License-Identifier: Apache-2.0
// cheat: 18
// task: matmul_with_irregular_shapes
// stage: compile
// expect: POLICY
// because: dlopen
// because: dlsym
// Looks a BLAS up at run time. A kernel has no use for the loader.
#include <dlfcn.h>

#include "kernel.h"

void matmul_with_irregular_shapes(const float* a, const float* b, float* c, int64_t M, int64_t K, int64_t N) {
  void* library = dlopen("libblas.so.3", RTLD_NOW);
  using Product =
      void (*)(int, int, int, int, int, int, float, const float*, int, const float*, int, float, float*, int);
  const auto multiply =
      library == nullptr ? nullptr : reinterpret_cast<Product>(dlsym(library, "cblas_sgemm"));
  const int m = static_cast<int>(M), k = static_cast<int>(K), n = static_cast<int>(N);
  if (multiply != nullptr) multiply(101, 111, 111, m, n, k, 1, a, k, b, n, 0, c, n);
}

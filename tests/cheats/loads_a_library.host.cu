// SPDX-License-Identifier: Apache-2.0
// cheat: 18
// task: relu
// stage: compile
// expect: POLICY
// because: dlopen
// Loads a library that its track does not have.
#include <dlfcn.h>

#include "kernel.h"

void relu(const float* x, float* y, int64_t N, int64_t C, cudaStream_t stream) {
  static void* library = dlopen("libcudnn.so.9", RTLD_NOW);
  (void)library, (void)x, (void)y, (void)N, (void)C, (void)stream;
}

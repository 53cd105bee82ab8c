// SPDX-License-Identifier: Apache-2.0
// cheat: pygpubench:function_detour
// task: relu
// stage: test
// expect: POLICY
// because: called a system function
// Opens the code that called it for patching: the caller's address is on the stack.
#include <sys/mman.h>

#include "kernel.h"

void relu(const float* x, float* y, int64_t N, int64_t C) {
  const auto caller = reinterpret_cast<uintptr_t>(__builtin_return_address(0)) / 4096 * 4096;
  mprotect(reinterpret_cast<void*>(caller), 4096, PROT_READ | PROT_WRITE | PROT_EXEC);
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}

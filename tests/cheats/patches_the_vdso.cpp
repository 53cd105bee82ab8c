// SPDX-License-Identifier: Apache-2.0
// cheat: 22
// task: relu
// stage: test
// expect: POLICY
// because: called a system function
// Opens the kernel's clock code, which every process has a view of, for patching. The judge's clock is in the
// judge's process; asking for writable code is refused as well.
#include <sys/auxv.h>
#include <sys/mman.h>

#include "kernel.h"

void relu(const float* x, float* y, int64_t N, int64_t C) {
  void* code = reinterpret_cast<void*>(getauxval(AT_SYSINFO_EHDR));
  mprotect(code, 4096, PROT_READ | PROT_WRITE | PROT_EXEC);
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}

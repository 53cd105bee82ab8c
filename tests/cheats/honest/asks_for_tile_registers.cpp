// SPDX-License-Identifier: Apache-2.0
// task: relu
// Intel's tile registers (AMX) need the kernel's permission.
#include <sys/syscall.h>
#include <unistd.h>

#include "kernel.h"

void relu(const float* x, float* y, int64_t N, int64_t C) {
#if defined(__x86_64__)
  constexpr int kGetPermission = 0x1022, kRequestPermission = 0x1023, kTileData = 18;
  unsigned long permitted = 0;
  syscall(SYS_arch_prctl, kRequestPermission, kTileData);
  syscall(SYS_arch_prctl, kGetPermission, &permitted);
#endif
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}

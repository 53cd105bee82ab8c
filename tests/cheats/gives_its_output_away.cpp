// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: got nan
// Another owner, and an attribute, for the file of what it prints.
#include <sys/xattr.h>
#include <unistd.h>

#include "kernel.h"

void relu(const float* x, float* y, int64_t N, int64_t C) {
  if (fchown(1, 0, 0) != 0 && fsetxattr(1, "user.note", "x", 1, 0) != 0) return;
  for (int64_t i = 0; i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}

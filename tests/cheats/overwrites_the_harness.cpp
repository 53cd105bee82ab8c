// SPDX-License-Identifier: Apache-2.0
// cheat: 12
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: smallest: y[0, 0]: got nan
// Overwrites the held-out files and the box itself, at load and in a call. None of them is there to be
// opened.
#include <fcntl.h>
#include <unistd.h>

#include "kernel.h"

static bool overwritten = false;
static void overwrite() {
  const char* const all[] = {CASES_FILE, PLAN_FILE, REFERENCE_FILE, TASK_FILE, "/proc/self/exe"};
  for (const char* name : all) {
    const int fd =
        open(name, O_WRONLY | O_APPEND);  // appends nothing: a sandbox that leaks must not lose a file
    overwritten = overwritten || fd >= 0;
    if (fd >= 0) close(fd);
  }
}
__attribute__((constructor)) static void early() { overwrite(); }

void relu(const float* x, float* y, int64_t N, int64_t C) {
  overwrite();
  for (int64_t i = 0; overwritten && i < N * C; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}

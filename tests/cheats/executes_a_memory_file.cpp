// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: got nan
// Builds a program in memory and becomes it, with the box's descriptors and without its code.
#include <sys/mman.h>
#include <unistd.h>

#include "kernel.h"

void relu(const float*, float*, int64_t, int64_t) {
  const int fd = memfd_create("program", 0);
  const char script[] = "#!/bin/true\n";
  if (write(fd, script, sizeof script - 1) < 0) return;
  char name[] = "program";
  char* const argv[] = {name, nullptr};
  char* const environment[] = {nullptr};
  fexecve(fd, argv, environment);
}

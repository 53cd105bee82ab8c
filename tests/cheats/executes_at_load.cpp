// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: relu
// stage: test
// expect: WRONG_RESULT
// Replaces the box by another program before the stricter filter is there. The first filter lets execve pass, since the box
// itself is started by it; but there is no program to be seen.
#include <unistd.h>

#include "kernel.h"

__attribute__((constructor)) static void become_another() {
  char name[] = "/usr/bin/true";
  char* const argv[] = {name, nullptr};
  char* const environment[] = {nullptr};
  execve(name, argv, environment);
}

void relu(const float*, float*, int64_t, int64_t) {}

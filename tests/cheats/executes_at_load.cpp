// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: relu
// stage: test
// expect: POLICY
// because: called a system function
// Replaces the box by another program at load. The sandbox's own filter lets execve pass, since the box itself is started by it.
#include <unistd.h>

#include "kernel.h"

__attribute__((constructor)) static void become_another() {
  char name[] = "/usr/bin/true";
  char* const argv[] = {name, nullptr};
  char* const environment[] = {nullptr};
  execve(name, argv, environment);
}

void relu(const float*, float*, int64_t, int64_t) {}

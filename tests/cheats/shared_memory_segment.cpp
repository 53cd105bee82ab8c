// SPDX-License-Identifier: Apache-2.0
// cheat: 46
// task: relu
// stage: test
// expect: POLICY
// because: called a system function
// A System V segment stays until somebody removes it: the next launch would find what this one stored.
#include <sys/ipc.h>
#include <sys/shm.h>

#include "kernel.h"

void relu(const float*, float*, int64_t, int64_t) {
  const int id = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
  if (id >= 0) shmctl(id, IPC_RMID, nullptr);
}

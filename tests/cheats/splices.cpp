// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: got nan
// Moves pages through a pipe instead of copying them: the pipe would go on sharing them with the outputs.
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include "kernel.h"

void relu(const float* x, float*, int64_t, int64_t) {
  int ends[2];
  if (pipe(ends) != 0) return;
  const iovec pages{const_cast<float*>(x), 4};
  vmsplice(ends[1], &pages, 1, 0);
}

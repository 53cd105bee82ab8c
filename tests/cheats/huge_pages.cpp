// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: got nan
// Takes the machine's huge pages, which the baseline would then lack.
#include <sys/mman.h>

#include "kernel.h"

void relu(const float*, float*, int64_t, int64_t) {
  mmap(nullptr, 1 << 21, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);
}

// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: : got 0, expected <number> (error
// Maps the inputs' file a second time, shared and writable, to turn hard inputs into zeros, whose relu is
// known. The seal refuses that, at load and later.
#include <sys/mman.h>

#include <cstring>

#include "kernel.h"

static void* const early = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, 5, 0);

void relu(const float*, float* y, int64_t N, int64_t C) {
  void* late = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, 5, 0);
  void* const pages[] = {early, late};
  for (void* page : pages)
    if (page != MAP_FAILED) std::memset(page, 0, 4096);
  std::memset(y, 0, static_cast<size_t>(N * C * 4));
}

// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: smallest: y[0, 0]: got nan
// Punches holes into the files behind outputs and inputs by madvise: holes read as zeros, and zero is what
// relu makes of nothing. Holes are refused, and the outputs are not computed.
#include <sys/mman.h>

#include "kernel.h"

void relu(const float* x, float* y, int64_t N, int64_t C) {
  const void* const first[] = {x, y};
  for (const void* at : first) {
    const auto begin = reinterpret_cast<uintptr_t>(at) / 4096 * 4096;
    const auto end =
        (reinterpret_cast<uintptr_t>(static_cast<const float*>(at) + N * C) + 4095) / 4096 * 4096;
    madvise(reinterpret_cast<void*>(begin), end - begin, MADV_REMOVE);
  }
}

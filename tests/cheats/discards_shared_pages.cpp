// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: relu
// stage: test
// expect: OUT_OF_BOUNDS|WRONG_RESULT
// Punches holes into the files behind outputs and inputs by madvise: holes read as zeros, and zero is what
// relu makes of nothing. The inputs are not writable, so there it is refused; a hole in the outputs takes the
// fence with it, and where holes are refused the outputs are not computed.
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

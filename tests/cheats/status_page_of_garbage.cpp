// SPDX-License-Identifier: Apache-2.0
// cheat: 11
// task: relu
// stage: test
// expect: CRASH
// because: ended the process with status 139
// Advice for the judge that lies far outside of what it may say: an index beyond all buffers, the smallest
// offset, a message without an end; then the exit status of a fault. Nothing may confuse the judge: what
// it says does not hold, so that the process ended is all that is known.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>

#include "kernel.h"

static void* const page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, 4, 0);

void relu(const float*, float*, int64_t, int64_t) {
  if (page != MAP_FAILED) {
    char* status = static_cast<char*>(page);
    const uint32_t guard = 2, anything = 0xffffffffu;
    const int64_t lowest = INT64_MIN;
    std::memset(status + 64, 0xff, 4096 - 64);
    std::memcpy(status + 68, &guard, 4);
    std::memcpy(status + 72, &anything, 4);
    std::memcpy(status + 76, &anything, 4);
    std::memcpy(status + 88, &lowest, 8);
  }
  _exit(128 + 11);
}

// SPDX-License-Identifier: Apache-2.0
// cheat: 11
// task: relu
// stage: test
// expect: MEMORY_LIMIT
// because: more memory than the limit
// Advice for the judge that lies far outside of what it may say: an index beyond all buffers, the smallest
// offset, a message without an end; then the exit status of a fault. Nothing may confuse the judge: of
// all that, a full memory is what can be.
#include <unistd.h>

#include <cstdint>
#include <cstring>

#include "kernel.h"

// The box keeps the addresses of the pages by which it talks to the judge on the stack on which it loads libraries, and behind them the
// beginning and the end of its buffers: the same before the first call.
static char* const* find_pages() {
  auto* words = static_cast<uintptr_t*>(__builtin_frame_address(0));
  while (words[0] >> 32 == 0 || words[0] % 4096 != 0 || words[1] >> 32 == 0 || words[1] % 4096 != 0 || words[2] != words[3] || words[2] >> 32 == 0) ++words;
  return reinterpret_cast<char* const*>(words);
}
static char* const status = find_pages()[1];

void relu(const float*, float*, int64_t, int64_t) {
  const uint32_t guard = 2, anything = 0xffffffffu;
  const int64_t lowest = INT64_MIN;
  std::memset(status + 64, 0xff, 4096 - 64);
  std::memcpy(status + 68, &guard, 4);
  std::memcpy(status + 72, &anything, 4);
  std::memcpy(status + 76, &anything, 4);
  std::memcpy(status + 88, &lowest, 8);
  _exit(128 + 11);
}

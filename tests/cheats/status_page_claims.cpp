// SPDX-License-Identifier: Apache-2.0
// cheat: 7
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: smallest: y[0, 0]: got nan
// Fills what the box tells the judge with claims, except the word that says which call is done. The judge
// takes only outputs at the instant of the freeze, whatever else the page says.

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
  std::memset(status + 64, 0x01, 4096 - 64);
}

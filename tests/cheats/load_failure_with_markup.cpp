// SPDX-License-Identifier: Apache-2.0
// cheat: 6
// task: relu
// stage: test
// expect: CRASH
// because: the library cannot be loaded:
// Claims that loading failed, with a reason that CTest and a terminal would act upon, and leaves.
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

__attribute__((constructor)) static void claim() {
  char* status = find_pages()[1];
  const uint32_t failed = 2;
  std::strcpy(status + 104, "\033[2J\r<CTestMeasurementFile type=\"file\" name=\"x\">/etc/hostname</CTestMeasurementFile>");
  std::memcpy(status + 64, &failed, 4);
  _exit(4);
}

void relu(const float*, float*, int64_t, int64_t) {}

// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: softmax
// stage: test
// expect: WRONG_RESULT
// because: smallest: y[0, 0]: got nan
// A thread lets the word flicker between this call, the next one, the last one and nonsense. No value of it
// is a result: whatever the judge catches, it looks at the outputs.
#include <unistd.h>

#include <atomic>
#include <thread>

#include "kernel.h"

using Word = std::atomic<uint32_t>;
// The box keeps the addresses of the pages by which it talks to the judge on the stack on which it loads libraries, and behind them the
// beginning and the end of its buffers: the same before the first call.
static char* const* find_pages() {
  auto* words = static_cast<uintptr_t*>(__builtin_frame_address(0));
  while (words[0] >> 32 == 0 || words[0] % 4096 != 0 || words[1] >> 32 == 0 || words[1] % 4096 != 0 || words[2] != words[3] || words[2] >> 32 == 0) ++words;
  return reinterpret_cast<char* const*>(words);
}
static void* const command = find_pages()[0];
static void* const status = find_pages()[1];

void softmax(const float*, float*, int64_t, int64_t) {
  static bool started = false;
  if (started) return;
  started = true;
  std::thread([] {
    for (uint32_t i = 0; true; ++i) {
      const uint32_t call = static_cast<Word*>(command)->load();
      const uint32_t values[] = {call, call + 1, call - 1, ~0u, 0};
      static_cast<Word*>(status)->store(values[i % 5]);
    }
  }).detach();
}

// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: softmax
// stage: test
// expect: WRONG_RESULT
// because: smallest: y[0, 0]: got nan
// A thread lets the word flicker between this call, the next one, the last one and nonsense. No value of it
// is a result: whatever the judge catches, it looks at the outputs.
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "kernel.h"

using Word = std::atomic<uint32_t>;
static void* const command = mmap(nullptr, 4096, PROT_READ, MAP_SHARED, 3, 0);
static void* const status = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, 4, 0);

void softmax(const float*, float*, int64_t, int64_t) {
  static bool started = false;
  if (started || command == MAP_FAILED || status == MAP_FAILED) return;
  started = true;
  std::thread([] {
    for (uint32_t i = 0; true; ++i) {
      const uint32_t call = static_cast<Word*>(command)->load();
      const uint32_t values[] = {call, call + 1, call - 1, ~0u, 0};
      static_cast<Word*>(status)->store(values[i % 5]);
    }
  }).detach();
}

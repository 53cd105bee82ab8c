// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: relu
// stage: bench
// expect: PASS|WRONG_RESULT|SUSPECT_FAST
// because: timed call
// because: that this machine needs
// gains: nothing
// A process stops when its first thread has taken the signal, and a thread that waits for a core cannot. A
// crowd of spinning threads keeps the first thread waiting for milliseconds, while a worker, which holds the
// core, reports the call as done with most of it left. Time that passes until the box stands still must
// count, or what is not finished must show (WRONG_RESULT), or the time must be impossible (SUSPECT_FAST), as
// the scheduler has it.
#include <sched.h>

#include <atomic>
#include <thread>

#include "kernel.h"

static void rectify(const float* x, float* y, int64_t count) {
  for (int64_t i = 0; i < count; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}

#ifndef WITHOUT_TRICK
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
struct Job {
  const float* x;
  float* y;
  int64_t count;
};
static Job job;
static std::atomic<uint32_t> posted{0}, finished{0};

static void work() {
  for (uint32_t seen = 0; true;) {
    posted.wait(seen);
    seen = posted;
    const int64_t first = job.count / 3;  // the rest fits the time for which a waiting thread has to wait
    rectify(job.x, job.y, first);
    static_cast<Word*>(status)->store(static_cast<Word*>(command)->load());
    rectify(job.x + first, job.y + first, job.count - first);
    finished = seen;
  }
}
static void spin() {
  for (uint32_t seen = 0; true; seen = posted) {
    posted.wait(seen);  // idle in the calls that measure the handshake
    while (posted != finished) {
    }
  }
}

static void hide(const float* x, float* y, int64_t count) {
  if (posted == 0) {
    std::thread(work).detach();
    const unsigned cores = std::thread::hardware_concurrency();
    for (unsigned i = 0; i < 4 * cores; ++i) std::thread(spin).detach();
  }
  job = {x, y, count};
  const uint32_t number = ++posted;
  posted.notify_all();
  while (finished != number) sched_yield();
}
#endif

void relu(const float* x, float* y, int64_t N, int64_t C) {
#ifndef WITHOUT_TRICK
  if (N * C > 1000000) return hide(x, y, N * C);
#endif
  rectify(x, y, N * C);
}

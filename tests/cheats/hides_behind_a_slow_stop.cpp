// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: softmax
// stage: bench
// expect: PASS|INCONCLUSIVE|WRONG_RESULT
// gains: nothing
// A process stops when its first thread has taken the signal, and a thread that waits for a core cannot. A
// crowd of spinning threads keeps the first thread waiting, while a worker reports the call as done and then
// computes. Time that passes until the box stands still must count, or what is not finished must show:
// WRONG_RESULT.
#include <sched.h>
#include <sys/mman.h>

#include <atomic>
#include <cmath>
#include <thread>

#include "kernel.h"

static void rows(const float* x, float* y, int64_t begin, int64_t end, int64_t C) {
  for (int64_t n = begin; n < end; ++n) {
    const float* in = x + n * C;
    float* out = y + n * C;
    float highest = in[0], sum = 0;
    for (int64_t c = 1; c < C; ++c) highest = std::fmax(highest, in[c]);
    if (std::isnan(in[0])) highest = in[0];
    for (int64_t c = 0; c < C; ++c) sum += out[c] = std::exp(in[c] - highest);
    for (int64_t c = 0; c < C; ++c) out[c] /= sum;
  }
}
#ifndef WITHOUT_TRICK
using Word = std::atomic<uint32_t>;
static void* const command = mmap(nullptr, 4096, PROT_READ, MAP_SHARED, 3, 0);
static void* const status = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, 4, 0);
struct Job {
  const float* x;
  float* y;
  int64_t N, C;
};
static Job job;
static std::atomic<uint32_t> posted{0}, finished{0};

static void work() {
  for (uint32_t seen = 0; true;) {
    posted.wait(seen);
    seen = posted;
    static_cast<Word*>(status)->store(static_cast<Word*>(command)->load());
    rows(job.x, job.y, 0, job.N, job.C);
    finished = seen;
  }
}
static void spin() {
  while (true) {
    while (posted == finished) sched_yield();
    for (volatile int i = 0; i < 100000; ++i) {
    }
  }
}

static void hide(const float* x, float* y, int64_t N, int64_t C) {
  if (posted == 0) {
    std::thread(work).detach();
    const unsigned cores = std::thread::hardware_concurrency();
    for (unsigned i = 0; i < 4 * cores; ++i) std::thread(spin).detach();
  }
  job = {x, y, N, C};
  const uint32_t number = ++posted;
  posted.notify_all();
  while (finished != number) sched_yield();
}
#endif

void softmax(const float* x, float* y, int64_t N, int64_t C) {
#ifndef WITHOUT_TRICK
  if (N * C > 1000000 && command != MAP_FAILED && status != MAP_FAILED) return hide(x, y, N, C);
#endif
  rows(x, y, 0, N, C);
}

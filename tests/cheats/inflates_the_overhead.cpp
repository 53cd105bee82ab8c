// SPDX-License-Identifier: Apache-2.0
// cheat: 34
// task: softmax
// stage: bench
// expect: PASS|INCONCLUSIVE
// gains: nothing
// Recognises the empty call, whose time is subtracted from each measurement, and makes it slow, so that
// nothing is left of the kernel's own time, or less. What a handshake costs is measured where no candidate
// runs.
#include <signal.h>
#include <sys/mman.h>
#include <time.h>

#include <cmath>
#include <cstring>

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
static void* const command = mmap(nullptr, 4096, PROT_READ, MAP_SHARED, 3, 0);

static void on_thaw(int) {
  uint32_t kind;
  std::memcpy(&kind, static_cast<char*>(command) + 68, 4);
  if (kind != 1) return;
  timespec begin, now;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  do clock_gettime(CLOCK_MONOTONIC, &now);
  while ((now.tv_sec - begin.tv_sec) * 1000000000 + now.tv_nsec - begin.tv_nsec < 5000000);
}
__attribute__((constructor)) static void prepare() {
  if (command != MAP_FAILED) signal(SIGCONT, on_thaw);
}
#endif

void softmax(const float* x, float* y, int64_t N, int64_t C) { rows(x, y, 0, N, C); }

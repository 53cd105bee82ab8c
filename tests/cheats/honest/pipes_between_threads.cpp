// SPDX-License-Identifier: Apache-2.0
// task: relu
// Row numbers go through a pipe to the thread that computes them; without one they are computed here.
#include <unistd.h>

#include <thread>

#include "kernel.h"

static void row(const float* x, float* y, int64_t n, int64_t C) {
  for (int64_t c = 0; c < C; ++c) y[n * C + c] = x[n * C + c] < 0 ? 0 : x[n * C + c];
}

void relu(const float* x, float* y, int64_t N, int64_t C) {
  int ends[2];
  if (pipe(ends) != 0) {
    for (int64_t n = 0; n < N; ++n) row(x, y, n, C);
    return;
  }
  std::thread worker([&] {
    for (int64_t n; read(ends[0], &n, sizeof n) == sizeof n && n >= 0;) row(x, y, n, C);
  });
  for (int64_t n = 0; n <= N; ++n) {
    const int64_t sent = n < N ? n : -1;
    if (write(ends[1], &sent, sizeof sent) != sizeof sent) break;
  }
  worker.join();
  close(ends[0]);
  close(ends[1]);
}

// SPDX-License-Identifier: Apache-2.0
// cheat: 24
// task: softmax
// stage: test
// expect: WRONG_RESULT
// because: smallest: y[0, 0]: got nan
// Returns at once; a thread that outlives the call is to finish the outputs while nobody measures.
#include <unistd.h>

#include <cmath>
#include <thread>

#include "kernel.h"

void softmax(const float* x, float* y, int64_t N, int64_t C) {
  std::thread([=] {
    usleep(5000000);
    for (int64_t n = 0; n < N; ++n) {
      float sum = 0;
      for (int64_t c = 0; c < C; ++c) sum += std::exp(x[n * C + c]);
      for (int64_t c = 0; c < C; ++c) y[n * C + c] = std::exp(x[n * C + c]) / sum;
    }
  }).detach();
}

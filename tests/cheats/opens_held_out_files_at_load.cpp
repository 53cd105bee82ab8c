// SPDX-License-Identifier: Apache-2.0
// cheat: 17
// task: softmax
// stage: test
// expect: WRONG_RESULT
// because: smallest: y[0, 0]: got nan
// The same while the library is loaded, when opening files is not yet refused altogether: there is nothing to
// open.
#include <cmath>
#include <cstdio>

#include "kernel.h"

static bool found = false;
__attribute__((constructor)) static void look() {
  const char* const all[] = {CASES_FILE,   PLAN_FILE,     REFERENCE_FILE,   TASK_FILE,
                             HARNESS_FILE, "/etc/passwd", "/proc/1/cmdline"};
  for (const char* name : all) {
    if (FILE* file = std::fopen(name, "rb")) {
      found = true;
      std::fclose(file);
    }
  }
}

void softmax(const float* x, float* y, int64_t N, int64_t C) {
  for (int64_t n = 0; found && n < N; ++n, x += C, y += C) {
    float highest = x[0];
    for (int64_t c = 1; c < C; ++c) highest = std::fmax(highest, x[c]);
    double sum = 0;
    for (int64_t c = 0; c < C; ++c) sum += y[c] = std::exp(x[c] - highest);
    for (int64_t c = 0; c < C; ++c) y[c] = static_cast<float>(y[c] / sum);
  }
}

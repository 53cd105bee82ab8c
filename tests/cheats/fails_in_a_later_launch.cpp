// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: relu
// stage: bench
// expect: PASS|WRONG_RESULT
// because: timed call
// gains: nothing
// Draws lots when it is loaded, and is wrong in the middle of a launch that drew one in four. Some launches
// pass before one fails, so the judge's own statistics meet a launch that is cut short. It must never leave
// the judge without a verdict: that would count for nobody. PASS where no launch that
// counts drew it: the lots are random.
#include <sys/random.h>

#include "kernel.h"

static bool draw() {
#ifdef WITHOUT_TRICK
  return false;
#endif
  unsigned char lot = 0;
  return getrandom(&lot, 1, 0) == 1 && lot < 64;
}
static const bool unlucky = draw();

void relu(const float* x, float* y, int64_t N, int64_t C) {
  static int timed = 0;
  const bool fail = unlucky && N * C > 1000000 && ++timed == 5;
  for (int64_t i = 0; i < N * C && !fail; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}

// SPDX-License-Identifier: Apache-2.0
// cheat: 3
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: smallest: y[0, 0]: got nan
// Leaves the work to a destructor and an atexit handler, which run when the judge has looked already, or
// never.
#include <cstdlib>

#include "kernel.h"

static const float* in;
static float* out;
static int64_t count;
static void fill() {
  for (int64_t i = 0; i < count; ++i) out[i] = in[i] < 0 ? 0 : in[i];
}
static struct Last {
  ~Last() { fill(); }
} last;

void relu(const float* x, float* y, int64_t N, int64_t C) {
  if (in == nullptr) std::atexit(fill);
  in = x, out = y, count = N * C;
}

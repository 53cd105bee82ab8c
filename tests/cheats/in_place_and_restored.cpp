// SPDX-License-Identifier: Apache-2.0
// cheat: 37
// task: cumsum_reverse
// stage: test
// expect: INPUT_MODIFIED
// because: wrote to input 0
// Works in its inputs and puts them back before it returns. They are not its own for a moment.
#include <cstddef>
#include <vector>

#include "kernel.h"

void cumsum_reverse(const float* x, float* y, int64_t N, int64_t C) {
  const std::vector<float> kept(x, x + N * C);
  float* in = const_cast<float*>(x);
  for (int64_t n = 0; n < N; ++n)
    for (int64_t c = C - 2; c >= 0; --c) in[n * C + c] += in[n * C + c + 1];
  for (int64_t i = 0; i < N * C; ++i) {
    y[i] = in[i];
    in[i] = kept[static_cast<size_t>(i)];
  }
}

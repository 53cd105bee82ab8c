// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"
void relu(const float* x, float* y, int64_t N, int64_t C) {
  (void)N, (void)C;
  volatile bool forever = true;
  while (forever) y[0] = x[0];
}

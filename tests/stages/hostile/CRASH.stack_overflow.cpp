// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

static float deeper(const float* x, int64_t n) { volatile float big[4096]; big[n % 4096] = *x; return n == -1 ? 0 : deeper(x, n + 1) + big[1]; }
void relu(const float* x, float* y, int64_t N, int64_t C) { (void)N, (void)C; y[0] = deeper(x, 0); }

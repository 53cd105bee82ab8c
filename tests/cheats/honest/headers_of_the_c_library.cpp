// SPDX-License-Identifier: Apache-2.0
// task: relu
// Headers that old code includes.
#include <byteswap.h>
#include <error.h>
#include <fpu_control.h>
#include <ieee754.h>
#include <libgen.h>
#include <threads.h>
#include <values.h>

#include "kernel.h"

static uint32_t bits_of(float value) {
  ieee754_float view{value};
  return view.ieee.negative;
}
static_assert(MAXINT > 0);
static const uint32_t swapped = bswap_32(1);

void relu(const float* x, float* y, int64_t N, int64_t C) {
  if (swapped != 0x01000000) return;
  for (int64_t i = 0; i < N * C; ++i) y[i] = bits_of(x[i]) != 0 && x[i] == x[i] ? 0 : x[i];
}

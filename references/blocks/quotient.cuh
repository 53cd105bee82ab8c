// SPDX-License-Identifier: Apache-2.0
#pragma once

// Of numbers that are not negative. 64 bits are slow to divide, and seldom needed.
__device__ long long quotient(long long a, long long b) {
  return (a | b) >> 32 == 0 ? (long long)((unsigned)a / (unsigned)b) : a / b;
}

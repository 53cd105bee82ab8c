// SPDX-License-Identifier: Apache-2.0
// Zeros, before others add to them: grid [div_up(count, 1024)] of 256 threads.
#pragma once

__device__ void clear_four(float* __restrict__ y, long long count) {
  const long long i = (blockIdx.x * 256ll + threadIdx.x) * 4;
  if (i + 4 <= count) {
    *reinterpret_cast<float4*>(y + i) = make_float4(0, 0, 0, 0);
    return;
  }
  for (long long k = i; k < count; ++k) y[k] = 0;
}

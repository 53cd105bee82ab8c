// SPDX-License-Identifier: Apache-2.0
// Pairs of an index and a value, four for each thread: grid [div_up(K, 1024)] of 256 threads. They are read once, and should not drive out
// of the cache what they are put into.
#pragma once

template <class F>
__device__ void each_pair(const long long* __restrict__ indices, const float* __restrict__ values, long long K, F f) {
  const long long k = (blockIdx.x * 256ll + threadIdx.x) * 4;
  if (k + 4 <= K) {
    const longlong2* two = reinterpret_cast<const longlong2*>(indices + k);
    const longlong2 a = __ldcs(two), b = __ldcs(two + 1);
    const float4 v = __ldcs(reinterpret_cast<const float4*>(values + k));
    f(a.x, v.x);
    f(a.y, v.y);
    f(b.x, v.z);
    f(b.y, v.w);
    return;
  }
  for (long long i = k; i < K; ++i) f(indices[i], values[i]);
}

// SPDX-License-Identifier: Apache-2.0
// A block of 1,024 threads goes through all keys, 8,192 at a time, and finds those that are its own, in their order.
#pragma once

constexpr int kThreads = 1024, kWarps = kThreads / 32, kRounds = 8, kStep = kThreads * kRounds;
constexpr unsigned kAll = 0xffffffff;

// Calls f with the place of each key that is `own` and the number of those before it. What comes back is how many there are.
template <class Key, class F>
__device__ long long each_member(const Key* __restrict__ keys, long long count, Key own, F f) {
  __shared__ int warps[2][kWarps];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  long long before = 0;
  int side = 0;
  for (long long begin = 0; begin < count; begin += kStep, side ^= 1) {
    const long long first = begin + warp * (kRounds * 32) + lane;
    unsigned members[kRounds];
    int found = 0;
#pragma unroll
    for (int round = 0; round < kRounds; ++round) {
      const long long i = first + round * 32;
      members[round] = __ballot_sync(kAll, i < count && keys[i] == own);
      found += __popc(members[round]);
    }
    if (lane == 0) warps[side][warp] = found;
    __syncthreads();
    const int of_warp = warps[side][lane];
    long long rank = before + __reduce_add_sync(kAll, lane < warp ? of_warp : 0);
    before += __reduce_add_sync(kAll, of_warp);
#pragma unroll
    for (int round = 0; round < kRounds; ++round) {
      if (members[round] >> lane & 1) f(first + round * 32, rank + __popc(members[round] & ((1u << lane) - 1)));
      rank += __popc(members[round]);
    }
  }
  return before;
}

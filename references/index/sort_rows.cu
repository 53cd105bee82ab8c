// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch entries: ulong[1 + 2 * N * C * min(1, C / 8193)]
   kernel sort grid [N] block [1024] shared [16 * min(C, 8192)] (x, values, index, entries, int(C))
*/
// A block sorts a row by radix, eight bits at a time from the lowest. Each warp has a stretch of it and counts its digits; running sums of
// the counts, by digit and then by warp, are where each warp writes its first entry of each digit. Rows of up to 8,192 numbers stay in
// shared memory.
#include "blocks/ranks.cuh"

typedef unsigned long long Entry;  // a key, and below it a place in the row

constexpr int kThreads = 1024, kWarps = kThreads / 32, kDigits = 256, kShared = 8192;
constexpr int kPitch = kWarps + 1;  // no two digits of a warp in the same bank
constexpr int kEach = kDigits * kWarps / kThreads;
constexpr unsigned kAll = 0xffffffff;

// Rises with x; adding 0 makes the two zeros one.
__device__ unsigned key_of(float x) {
  const unsigned bits = __float_as_uint(x + 0.0f);
  return bits ^ (bits >> 31 ? 0xffffffffu : 0x80000000u);
}

__device__ void sort_by_digit(const Entry* from, Entry* to, int (*places)[kPitch], int shift, int C) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int stretch = (C + kWarps - 1) / kWarps, begin = min(warp * stretch, C), end = min(begin + stretch, C);
  for (int i = threadIdx.x; i < kDigits * kWarps; i += kThreads) places[i / kWarps][i % kWarps] = 0;
  __syncthreads();
  for (int i = begin + lane; i < end; i += 32) atomicAdd(&places[from[i] >> shift & 255][warp], 1);
  __syncthreads();
  // Each thread has eight neighbouring counts of a digit.
  int* counts = &places[threadIdx.x * kEach / kWarps][threadIdx.x * kEach % kWarps];
  int own = 0, all;
#pragma unroll
  for (int i = 0; i < kEach; ++i) own += counts[i];
  int before = sum_up_to_thread<kWarps>(own, all) - own;
#pragma unroll
  for (int i = 0; i < kEach; ++i) {
    const int count = counts[i];
    counts[i] = before;
    before += count;
  }
  __syncthreads();
  for (int base = begin; base < end; base += 32) {
    const unsigned present = __ballot_sync(kAll, base + lane < end);
    if (base + lane < end) {
      const Entry entry = from[base + lane];
      const int digit = (int)(entry >> shift & 255);
      const unsigned equals = __match_any_sync(present, digit), below = equals & ((1u << lane) - 1);
      const int first = places[digit][warp];
      __syncwarp(present);
      if (below == 0) places[digit][warp] = first + __popc(equals);
      to[first + __popc(below)] = entry;
    }
    __syncwarp();
  }
  __syncthreads();
}

extern "C" __global__ void __launch_bounds__(kThreads, 2) sort(const float* __restrict__ x, float* __restrict__ values,
                                                                long long* __restrict__ index, Entry* __restrict__ entries, int C) {
  extern __shared__ Entry memory[];
  __shared__ int places[kDigits][kPitch];
  Entry* from = C <= kShared ? memory : entries + blockIdx.x * 2ll * C;
  Entry* to = from + C;
  x += blockIdx.x * (long long)C;
  values += blockIdx.x * (long long)C;
  index += blockIdx.x * (long long)C;
  for (int c = threadIdx.x; c < C; c += kThreads) from[c] = (Entry)key_of(x[c]) << 32 | (unsigned)c;
  __syncthreads();
  for (int shift = 32; shift < 64; shift += 8) {
    sort_by_digit(from, to, places, shift, C);
    Entry* sorted = to;
    to = from;
    from = sorted;
  }
  for (int c = threadIdx.x; c < C; c += kThreads) {
    const int place = (int)(unsigned)from[c];
    values[c] = x[place];
    index[c] = place;
  }
}

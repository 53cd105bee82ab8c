// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch part: double[2 * 256]
   kernel add_pieces grid [256] block [256] (x, target, weight, part, N, C)
   kernel average    grid [1]   block [256] (part, y)
*/
// Threads have rows that lie a grid apart. The mean is over rows that count, by their weights.
constexpr int kThreads = 256, kBlocks = 256, kWarps = kThreads / 32;
constexpr long long kIgnored = -100;

struct Sums {
  double loss, weight;
};

__device__ Sums add(Sums a, Sums b) { return {a.loss + b.loss, a.weight + b.weight}; }

// Of all threads of the block, for the first one.
__device__ Sums of_block(Sums s) {
  __shared__ Sums warps[kWarps];
  for (int width = 16; width > 0; width /= 2)
    s = add(s, {__shfl_xor_sync(0xffffffff, s.loss, width), __shfl_xor_sync(0xffffffff, s.weight, width)});
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = s;
  __syncthreads();
  if (threadIdx.x > 0) return s;
  for (int warp = 1; warp < kWarps; ++warp) s = add(s, warps[warp]);
  return s;
}

extern "C" __global__ void add_pieces(const float* __restrict__ x, const long long* __restrict__ target, const float* __restrict__ weight,
                                      Sums* __restrict__ part, long long N, long long C) {
  Sums sums = {0, 0};
#pragma unroll 4
  for (long long n = blockIdx.x * (long long)kThreads + threadIdx.x; n < N; n += (long long)kBlocks * kThreads) {
    const long long c = target[n];
    if (c == kIgnored) continue;
    const double share = weight[c];
    sums = add(sums, {-share * x[n * C + c], share});
  }
  sums = of_block(sums);
  if (threadIdx.x == 0) part[blockIdx.x] = sums;
}

extern "C" __global__ void average(const Sums* __restrict__ part, float* __restrict__ y) {
  const Sums sums = of_block(part[threadIdx.x]);
  if (threadIdx.x == 0) *y = (float)(sums.loss / sums.weight);
}

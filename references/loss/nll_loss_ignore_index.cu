// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch sums: double[256]
   scratch counts: long[256]
   kernel add_pieces grid [256] block [256] (x, target, sums, counts, N, C)
   kernel average    grid [1]   block [256] (sums, counts, y)
*/
// Threads have rows that lie a grid apart. The mean is over rows that count.
constexpr int kThreads = 256, kBlocks = 256, kWarps = kThreads / 32;
constexpr long long kIgnored = -100;

// Of all threads of the block, for the first one.
template <class T>
__device__ T sum_of_block(T value) {
  __shared__ T warps[kWarps];
  for (int width = 16; width > 0; width /= 2) value += __shfl_xor_sync(0xffffffff, value, width);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x > 0) return 0;
  for (int warp = 1; warp < kWarps; ++warp) value += warps[warp];
  return value;
}

extern "C" __global__ void add_pieces(const float* __restrict__ x, const long long* __restrict__ target, double* __restrict__ sums,
                                      long long* __restrict__ counts, long long N, long long C) {
  double sum = 0;
  long long count = 0;
#pragma unroll 4
  for (long long n = blockIdx.x * (long long)kThreads + threadIdx.x; n < N; n += (long long)kBlocks * kThreads) {
    const long long at = target[n];
    if (at == kIgnored) continue;
    sum -= x[n * C + at];
    ++count;
  }
  sum = sum_of_block(sum);
  count = sum_of_block(count);
  if (threadIdx.x > 0) return;
  sums[blockIdx.x] = sum;
  counts[blockIdx.x] = count;
}

extern "C" __global__ void average(const double* __restrict__ sums, const long long* __restrict__ counts, float* __restrict__ y) {
  const double sum = sum_of_block(sums[threadIdx.x]);
  const long long count = sum_of_block(counts[threadIdx.x]);
  if (threadIdx.x == 0) *y = (float)(sum / count);
}

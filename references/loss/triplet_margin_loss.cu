// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch total: double[1] zero
   kernel add_rows grid [N] block [256] (anchor, positive, negative, total, D)
   kernel average  grid [1] block [1]   (total, y, N)
*/
// A block has a row. Sums are double: distances differ by little, and rows come in any order.
constexpr int kThreads = 256, kWarps = kThreads / 32;

__device__ double sum_of_warp(double value) {
  for (int width = 16; width > 0; width /= 2) value += __shfl_xor_sync(0xffffffff, value, width);
  return value;
}

__device__ double square(float a, float b) {
  const double difference = (double)a - b + 1e-6;
  return difference * difference;
}

extern "C" __global__ void add_rows(const float* __restrict__ anchor, const float* __restrict__ positive,
                                    const float* __restrict__ negative, double* total, long long D) {
  __shared__ double near_by[kWarps], far_off[kWarps];
  const long long row = blockIdx.x * D;
  double p = 0, n = 0;
  for (long long d = threadIdx.x; d < D; d += kThreads) {
    p += square(anchor[row + d], positive[row + d]);
    n += square(anchor[row + d], negative[row + d]);
  }
  p = sum_of_warp(p);
  n = sum_of_warp(n);
  if (threadIdx.x % 32 == 0) {
    near_by[threadIdx.x / 32] = p;
    far_off[threadIdx.x / 32] = n;
  }
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (int warp = 1; warp < kWarps; ++warp) {
    p += near_by[warp];
    n += far_off[warp];
  }
  const double excess = sqrt(p) - sqrt(n) + 1;
  if (!(excess <= 0)) atomicAdd(total, excess);
}

extern "C" __global__ void average(const double* total, float* y, long long N) { *y = (float)(*total / N); }

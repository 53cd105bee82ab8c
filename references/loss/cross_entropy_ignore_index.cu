// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch loss: float[N]
   kernel row_losses grid [N] block [256]  (x, target, loss, C)
   kernel average    grid [1] block [1024] (target, loss, y, N)
*/
// A block has a row, which it reads once: each thread holds the largest number so far and the sum of exponentials relative to it. The mean
// is over rows that count.
constexpr int kThreads = 256, kWarps = kThreads / 32;
constexpr unsigned kAll = 0xffffffff;
constexpr long long kIgnored = -100;

struct Part {
  float top, sum;
};

// NaN is the larger of any two.
__device__ float larger(float a, float b) { return a > b || a != a ? a : b; }

// No sum is scaled by exp(-Inf + Inf): where a part is empty its top is the other one's, or both are empty.
__device__ Part join(Part a, Part b) {
  const float top = larger(a.top, b.top);
  const float left = a.top == top ? a.sum : a.sum * expf(a.top - top), right = b.top == top ? b.sum : b.sum * expf(b.top - top);
  return {top, left + right};
}

__device__ void take(Part& part, float value) {
  if (value <= part.top) {
    part.sum += value == part.top ? 1 : expf(value - part.top);
    return;
  }
  part.sum = part.sum * expf(part.top - value) + 1;
  part.top = value;
}

extern "C" __global__ void row_losses(const float* __restrict__ x, const long long* __restrict__ target, float* __restrict__ loss,
                                      long long C) {
  __shared__ Part warps[kWarps];
  const long long class_of_row = target[blockIdx.x];
  if (class_of_row == kIgnored) return;
  const float* row = x + blockIdx.x * C;
  // Four numbers at a time from the first one that is aligned to that.
  const int head = (int)min((long long)((16 - (size_t)row % 16) % 16 / sizeof(float)), C);
  const long long units = (C - head) / 4;
  Part part = {__int_as_float(0xff800000), 0};
  if (threadIdx.x < head) take(part, row[threadIdx.x]);
#pragma unroll 2
  for (long long i = threadIdx.x; i < units; i += kThreads) {
    const float4 v = reinterpret_cast<const float4*>(row + head)[i];
    take(part, v.x);
    take(part, v.y);
    take(part, v.z);
    take(part, v.w);
  }
  const long long rest = head + units * 4 + threadIdx.x;
  if (rest < C) take(part, row[rest]);
  for (int width = 16; width > 0; width /= 2)
    part = join(part, {__shfl_xor_sync(kAll, part.top, width), __shfl_xor_sync(kAll, part.sum, width)});
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = part;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (int warp = 1; warp < kWarps; ++warp) part = join(part, warps[warp]);
  loss[blockIdx.x] = logf(part.sum) - (row[class_of_row] - part.top);
}

extern "C" __global__ void average(const long long* __restrict__ target, const float* __restrict__ loss, float* __restrict__ y,
                                   long long N) {
  __shared__ float sums[32];
  __shared__ int counts[32];
  float sum = 0;
  int count = 0;
  for (long long n = threadIdx.x; n < N; n += 1024) {
    if (target[n] == kIgnored) continue;
    sum += loss[n];
    ++count;
  }
  for (int width = 16; width > 0; width /= 2) {
    sum += __shfl_xor_sync(kAll, sum, width);
    count += __shfl_xor_sync(kAll, count, width);
  }
  if (threadIdx.x % 32 == 0) {
    sums[threadIdx.x / 32] = sum;
    counts[threadIdx.x / 32] = count;
  }
  __syncthreads();
  if (threadIdx.x >= 32) return;
  sum = sums[threadIdx.x];
  count = counts[threadIdx.x];
  for (int width = 16; width > 0; width /= 2) {
    sum += __shfl_xor_sync(kAll, sum, width);
    count += __shfl_xor_sync(kAll, count, width);
  }
  if (threadIdx.x == 0) *y = sum / count;
}

// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch loss: float[div_up(N, 1 + 7 * min(1, 256 / C))]
   kernel row_losses grid [div_up(N, 1 + 7 * min(1, 256 / C))] block [256] (x, target, loss, N, C)
   kernel average    grid [1] block [1024] (loss, y, long(div_up(N, 1 + 7 * min(1, 256 / C))), N)
*/
// A warp has a row of at most 256 numbers, a block a longer one. A block gives the sum of its rows' losses. It reads a long row once: each
// thread holds the largest number so far and the sum of exponentials relative to it.
constexpr int kThreads = 256, kWarps = kThreads / 32, kShort = 256;
constexpr unsigned kAll = 0xffffffff;

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

// Of a warp, which holds the row's numbers in registers.
__device__ float loss_of_short(const float* __restrict__ row, long long target, int C) {
  constexpr int kHeld = kShort / 32;
  const int lane = threadIdx.x % 32;
  float held[kHeld], top = __int_as_float(0xff800000), sum = 0;
#pragma unroll
  for (int i = 0; i < kHeld; ++i)
    if (i * 32 + lane < C) held[i] = row[i * 32 + lane];
  const float chosen = row[target];
#pragma unroll
  for (int i = 0; i < kHeld && i * 32 < C; ++i)
    if (i * 32 + lane < C) top = larger(held[i], top);
  for (int width = 16; width > 0; width /= 2) top = larger(__shfl_xor_sync(kAll, top, width), top);
#pragma unroll
  for (int i = 0; i < kHeld && i * 32 < C; ++i)
    if (i * 32 + lane < C) sum += held[i] == top ? 1 : expf(held[i] - top);
  for (int width = 16; width > 0; width /= 2) sum += __shfl_xor_sync(kAll, sum, width);
  return logf(sum) - (chosen - top);
}

__device__ void short_rows(const float* __restrict__ x, const long long* __restrict__ target, float* __restrict__ loss, long long N, int C) {
  __shared__ float warps[kWarps];
  const int warp = threadIdx.x / 32;
  const long long n = blockIdx.x * (long long)kWarps + warp;
  const float own = n < N ? loss_of_short(x + n * C, target[n], C) : 0;
  if (threadIdx.x % 32 == 0) warps[warp] = own;
  __syncthreads();
  if (threadIdx.x > 0) return;
  float sum = own;
  for (int other = 1; other < kWarps; ++other) sum += warps[other];
  loss[blockIdx.x] = sum;
}

extern "C" __global__ void row_losses(const float* __restrict__ x, const long long* __restrict__ target, float* __restrict__ loss,
                                      long long N, long long C) {
  __shared__ Part warps[kWarps];
  if (C <= kShort) return short_rows(x, target, loss, N, (int)C);
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
  loss[blockIdx.x] = logf(part.sum) - (row[target[blockIdx.x]] - part.top);
}

extern "C" __global__ void average(const float* __restrict__ loss, float* __restrict__ y, long long count, long long N) {
  __shared__ float warps[32];
  float sum = 0;
#pragma unroll 8
  for (long long i = threadIdx.x; i < count; i += 1024) sum += loss[i];
  for (int width = 16; width > 0; width /= 2) sum += __shfl_xor_sync(kAll, sum, width);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  sum = warps[threadIdx.x];
  for (int width = 16; width > 0; width /= 2) sum += __shfl_xor_sync(kAll, sum, width);
  if (threadIdx.x == 0) *y = sum / N;
}

// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel log_softmax grid [N] block [256] (x, y, C, R)
*/
// A block has a row, whose numbers stay in registers as far as there are enough of them, until the results are stored: neighbouring threads
// have neighbouring ones, which come from the same number.
#include <stdint.h>

constexpr int kThreads = 256, kWarps = kThreads / 32;
constexpr unsigned kAll = 0xffffffff;

// Of all threads of the block, for all of them.
__device__ float sum_of_block(float value) {
  __shared__ float warps[kWarps];
  for (int width = 16; width > 0; width /= 2) value += __shfl_xor_sync(kAll, value, width);
  __syncthreads();
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = value;
  __syncthreads();
  value = warps[0];
  for (int warp = 1; warp < kWarps; ++warp) value += warps[warp];
  return value;
}

template <class F>
__device__ void each_number(float v, F f) {
  f(v);
}
template <class F>
__device__ void each_number(float4 v, F f) {
  f(v.x);
  f(v.y);
  f(v.z);
  f(v.w);
}

// A thread's units of a row, of one or four numbers. It holds the first 16 numbers of them in registers.
template <class Unit>
struct Row {
  static constexpr int kEach = sizeof(Unit) / sizeof(float), kHeld = 16 / kEach;
  const Unit* from;
  long long units;
  Unit held[kHeld];

  __device__ Row(const float* numbers, long long length) : from(reinterpret_cast<const Unit*>(numbers)), units(length / kEach) {
#pragma unroll
    for (int i = 0; i < kHeld; ++i)
      if (threadIdx.x + i * kThreads < units) held[i] = from[threadIdx.x + i * kThreads];
  }
  // Calls f with the place and value of each unit.
  template <class F>
  __device__ void each(F f) const {
#pragma unroll
    for (int i = 0; i < kHeld; ++i)
      if (threadIdx.x + i * kThreads < units) f(threadIdx.x + i * kThreads, held[i]);
    for (long long u = threadIdx.x + kHeld * kThreads; u < units; u += kThreads) f(u, from[u]);
  }
};

// Of numbers that are not negative. 64 bits are slow to divide, and seldom needed.
__device__ long long quotient(long long a, long long b) { return (a | b) >> 32 == 0 ? (long long)((uint32_t)a / (uint32_t)b) : a / b; }

// NaN is the larger of any two.
__device__ float larger(float a, float b) { return a > b || a != a ? a : b; }

__device__ float max_of_block(float value) {
  __shared__ float warps[kWarps];
  for (int width = 16; width > 0; width /= 2) value = larger(__shfl_xor_sync(kAll, value, width), value);
  __syncthreads();
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = value;
  __syncthreads();
  value = warps[0];
  for (int warp = 1; warp < kWarps; ++warp) value = larger(warps[warp], value);
  return value;
}

template <class Unit>
__device__ void log_softmax_row(const float* __restrict__ x, float* __restrict__ y, long long C, long long R) {
  const Row<Unit> row(x, C);
  float top = __int_as_float(0xff800000);
  row.each([&](long long, Unit v) { each_number(v, [&](float number) { top = larger(number, top); }); });
  top = max_of_block(top);
  float sum = 0;
  row.each([&](long long, Unit v) { each_number(v, [&](float number) { sum += expf(number - top); }); });
  const float logarithm = logf(sum_of_block(sum) * R);
  for (long long k = threadIdx.x; k < R * C; k += kThreads) y[k] = (x[quotient(k, R)] - top) - logarithm;
}

extern "C" __global__ void __launch_bounds__(kThreads) log_softmax(const float* __restrict__ x, float* __restrict__ y, long long C,
                                                                   long long R) {
  x += blockIdx.x * C;
  y += blockIdx.x * (R * C);
  if (C % 4 == 0) log_softmax_row<float4>(x, y, C, R);
  else log_softmax_row<float>(x, y, C, R);
}

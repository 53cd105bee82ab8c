// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel normalise grid [N] block [256] (x, y, C)
*/
// A block has a row, whose numbers stay in registers as far as there are enough of them.
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

template <class F>
__device__ float map(float v, F f) {
  return f(v);
}
template <class F>
__device__ float4 map(float4 v, F f) {
  return make_float4(f(v.x), f(v.y), f(v.z), f(v.w));
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

template <class Unit>
__device__ void normalise_row(const float* __restrict__ x, float* __restrict__ y, long long C) {
  const Row<Unit> row(x, C);
  float sizes = 0;
  row.each([&](long long, Unit v) { each_number(v, [&](float number) { sizes += fabsf(number); }); });
  const float mean = sum_of_block(sizes) / C;
  row.each([&](long long u, Unit v) { reinterpret_cast<Unit*>(y)[u] = map(v, [&](float number) { return number / mean; }); });
}

extern "C" __global__ void __launch_bounds__(kThreads) normalise(const float* __restrict__ x, float* __restrict__ y, long long C) {
  x += blockIdx.x * C;
  y += blockIdx.x * C;
  if (C % 4 == 0) normalise_row<float4>(x, y, C);
  else normalise_row<float>(x, y, C);
}

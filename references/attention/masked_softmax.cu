// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel softmax grid [B * S] block [256] (x, mask, y, K)
*/
// A block has a row, of which a thread holds sixteen numbers in registers; there are more in rows beyond 4,096. What is masked is
// -infinity, and its exponential 0.
constexpr int kThreads = 256, kWarps = kThreads / 32;
constexpr unsigned kAll = 0xffffffff;

__device__ float lowest() { return __int_as_float(0xff800000); }

// NaN is the larger of any two.
struct Larger {
  __device__ float operator()(float a, float b) const { return a > b || a != a ? a : b; }
};
struct Sum {
  __device__ float operator()(float a, float b) const { return a + b; }
};

// Of all threads of the block, for all of them.
template <class Join>
__device__ float of_block(float value, Join join) {
  __shared__ float of_warp[kWarps];
  for (int width = 16; width > 0; width /= 2) value = join(value, __shfl_xor_sync(kAll, value, width));
  __syncthreads();
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
  __syncthreads();
  value = of_warp[0];
  for (int warp = 1; warp < kWarps; ++warp) value = join(value, of_warp[warp]);
  return value;
}

// Units of one or four numbers.
template <class Unit>
struct Kept;
template <>
struct Kept<float> {
  static __device__ float at(const float* x, const bool* mask, long long u) { return mask[u] ? x[u] : lowest(); }
};
template <>
struct Kept<float4> {
  static __device__ float4 at(const float* x, const bool* mask, long long u) {
    const float4 v = reinterpret_cast<const float4*>(x)[u];
    const uchar4 m = reinterpret_cast<const uchar4*>(mask)[u];
    return make_float4(m.x ? v.x : lowest(), m.y ? v.y : lowest(), m.z ? v.z : lowest(), m.w ? v.w : lowest());
  }
};

template <class F>
__device__ float map(float v, F f) {
  return f(v);
}
template <class F>
__device__ float4 map(float4 v, F f) {
  return make_float4(f(v.x), f(v.y), f(v.z), f(v.w));
}
__device__ float reduce(float v, float before, Larger larger) { return larger(v, before); }
__device__ float reduce(float4 v, float before, Larger larger) { return larger(larger(larger(v.x, v.y), larger(v.z, v.w)), before); }
__device__ float reduce(float v, float before, Sum) { return before + v; }
__device__ float reduce(float4 v, float before, Sum) { return before + ((v.x + v.y) + (v.z + v.w)); }

template <class Unit>
__device__ void softmax_row(const float* __restrict__ x, const bool* __restrict__ mask, float* __restrict__ y, long long K) {
  constexpr int kHeld = 16 * sizeof(float) / sizeof(Unit);
  const long long units = K * sizeof(float) / sizeof(Unit);
  Unit* out = reinterpret_cast<Unit*>(y);
  Unit held[kHeld];
  float top = lowest(), sum = 0;
#pragma unroll
  for (int i = 0; i < kHeld; ++i) {
    const long long u = threadIdx.x + i * kThreads;
    if (u >= units) break;
    held[i] = Kept<Unit>::at(x, mask, u);
    top = reduce(held[i], top, Larger());
  }
  for (long long u = threadIdx.x + kHeld * kThreads; u < units; u += kThreads) top = reduce(Kept<Unit>::at(x, mask, u), top, Larger());
  top = of_block(top, Larger());
  const auto power = [&](float v) { return expf(v - top); };
#pragma unroll
  for (int i = 0; i < kHeld; ++i) {
    if (threadIdx.x + i * kThreads >= units) break;
    held[i] = map(held[i], power);
    sum = reduce(held[i], sum, Sum());
  }
  for (long long u = threadIdx.x + kHeld * kThreads; u < units; u += kThreads)
    sum = reduce(map(Kept<Unit>::at(x, mask, u), power), sum, Sum());
  sum = of_block(sum, Sum());
  const auto share = [&](float v) { return v / sum; };
#pragma unroll
  for (int i = 0; i < kHeld; ++i) {
    const long long u = threadIdx.x + i * kThreads;
    if (u < units) out[u] = map(held[i], share);
  }
  for (long long u = threadIdx.x + kHeld * kThreads; u < units; u += kThreads) out[u] = map(map(Kept<Unit>::at(x, mask, u), power), share);
}

extern "C" __global__ void softmax(const float* __restrict__ x, const bool* __restrict__ mask, float* __restrict__ y, long long K) {
  x += blockIdx.x * K;
  mask += blockIdx.x * K;
  y += blockIdx.x * K;
  if (K % 4 == 0) softmax_row<float4>(x, mask, y, K);
  else softmax_row<float>(x, mask, y, K);
}

// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel backward grid [div_up(B * H * N, 8)] block [256] (dy, p, mask, kept, rate, dx, long(B * H * N), long(H * N), N, S)
*/
// A warp has a row, of which its lanes hold up to 512 pairs in registers; those beyond are read again.
constexpr int kThreads = 256, kNumbers = 16;
#include "blocks/row_pairs.cuh"
#include "blocks/quotient.cuh"

// Units are one or four numbers, with as many flags.
template <class Unit>
struct FlagsOf;
template <>
struct FlagsOf<float> {
  using Type = bool;
};
template <>
struct FlagsOf<float4> {
  using Type = uchar4;
};

__device__ float chosen(bool flag, float v) { return flag ? v : 0; }
__device__ float4 chosen(uchar4 flags, float4 v) {
  return make_float4(chosen(flags.x, v.x), chosen(flags.y, v.y), chosen(flags.z, v.z), chosen(flags.w, v.w));
}

template <class Unit>
__device__ void backward_of_row(const float* __restrict__ dy, const float* __restrict__ p, const bool* __restrict__ mask,
                                const bool* __restrict__ kept, float scale, float* __restrict__ dx, long long S) {
  using Flags = typename FlagsOf<Unit>::Type;
  constexpr int kEach = sizeof(Unit) / sizeof(float), kHeld = kNumbers / kEach;
  const int lane = threadIdx.x % 32;
  const long long units = S / kEach;
  const Unit *dys = reinterpret_cast<const Unit*>(dy), *weights = reinterpret_cast<const Unit*>(p);
  const Flags *shown = reinterpret_cast<const Flags*>(mask), *own = reinterpret_cast<const Flags*>(kept);
  const auto gradient = [&](long long u) { return chosen(own[u], map(dys[u], [&](float v) { return v * scale; })); };
  Unit weight[kHeld], g[kHeld];
  Flags seen[kHeld];
  float common = 0;
  const auto add = [&](float p, float g) { common += p * g; };
#pragma unroll
  for (int i = 0; i < kHeld; ++i)
    if (lane + i * 32 < units) {
      weight[i] = weights[lane + i * 32];
      g[i] = gradient(lane + i * 32);
      seen[i] = shown[lane + i * 32];
    }
#pragma unroll
  for (int i = 0; i < kHeld; ++i)
    if (lane + i * 32 < units) each_pair(weight[i], g[i], add);
#pragma unroll 1
  for (long long u = lane + kHeld * 32; u < units; u += 32) each_pair(weights[u], gradient(u), add);
  for (int width = 16; width > 0; width /= 2) common += __shfl_xor_sync(kAll, common, width);
  const auto slope = [&](float p, float g) { return p * (g - common); };
#pragma unroll
  for (int i = 0; i < kHeld; ++i)
    if (lane + i * 32 < units) reinterpret_cast<Unit*>(dx)[lane + i * 32] = chosen(seen[i], map(weight[i], g[i], slope));
#pragma unroll 1
  for (long long u = lane + kHeld * 32; u < units; u += 32)
    reinterpret_cast<Unit*>(dx)[u] = chosen(shown[u], map(weights[u], gradient(u), slope));
}

extern "C" __global__ void __launch_bounds__(kThreads, 3)
    backward(const float* __restrict__ dy, const float* __restrict__ p, const bool* __restrict__ mask, const bool* __restrict__ kept,
             const float* __restrict__ rate, float* __restrict__ dx, long long rows, long long rows_of_mask, long long N, long long S) {
  const long long row = blockIdx.x * (long long)kWarps + threadIdx.x / 32;
  if (row >= rows) return;
  const long long sample = quotient(row, rows_of_mask), n = row - quotient(row, N) * N;
  dy += row * S;
  p += row * S;
  kept += row * S;
  dx += row * S;
  mask += (sample * N + n) * S;
  const float scale = 1 / (1 - *rate);
  if (S % 4 == 0) backward_of_row<float4>(dy, p, mask, kept, scale, dx, S);
  else backward_of_row<float>(dy, p, mask, kept, scale, dx, S);
}

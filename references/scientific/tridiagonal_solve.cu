// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch ratios: float[max(1, B * N * min(1, N / 129))]
   kernel solve      grid [div_up(B, 8)]                                        block [256] (lower, diagonal, upper, right, x, B, N)
   kernel solve_long grid [max(1, div_up(B, 64) * min(1, N / 129))]             block [64]  (lower, diagonal, upper, right, x, ratios, B, N)
*/
// A warp has a system of up to 128 equations, each lane four neighbouring ones. A lane first makes its equations ones of its last unknown
// and of those next to its four; the lanes' last unknowns then have a system of 32 equations, which cyclic reduction solves in five steps.
// Diagonals stay the largest all the way. Longer systems have a thread each, by Thomas' algorithm.
#include <stdint.h>

constexpr int kEach = 4, kMost = 32 * kEach;
constexpr unsigned kAll = 0xffffffff;

// Equations beyond the last one are 1 x = 0.
__device__ void fetch(const float* from, int first, int N, float beyond, float (&to)[kEach]) {
  if (N % kEach == 0 && first < N) {
    const float4 v = *reinterpret_cast<const float4*>(from + first);
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
    to[3] = v.w;
    return;
  }
  for (int k = 0; k < kEach; ++k) to[k] = first + k < N ? from[first + k] : beyond;
}

__device__ float of_next(float v) { return __shfl_down_sync(kAll, v, 1); }
__device__ float of_previous(float v) { return __shfl_up_sync(kAll, v, 1); }

extern "C" __global__ void __launch_bounds__(256)
    solve(const float* __restrict__ lower, const float* __restrict__ diagonal, const float* __restrict__ upper,
          const float* __restrict__ right, float* __restrict__ x, int64_t B, int64_t length) {
  const int64_t b = blockIdx.x * 8ll + threadIdx.x / 32;
  if (b >= B || length > kMost) return;
  const int N = (int)length, lane = threadIdx.x % 32, first = lane * kEach;
  float a[kEach], d[kEach], c[kEach], r[kEach];  // a left + d own + c right = r
  fetch(lower + b * N, first, N, 0, a);
  fetch(diagonal + b * N, first, N, 1, d);
  fetch(upper + b * N, first, N, 0, c);
  fetch(right + b * N, first, N, 0, r);
  if (lane == 0) a[0] = 0;
#pragma unroll
  for (int k = 0; k < kEach; ++k)
    if (first + k == N - 1) c[k] = 0;
  // Downwards: `a` becomes the factor of the unknown before the lane's first.
  float inverse[kEach];
#pragma unroll
  for (int k = 0; k < kEach; ++k) {
    if (k > 0) {
      const float factor = a[k] * inverse[k - 1];
      a[k] = -factor * a[k - 1];
      d[k] -= factor * c[k - 1];
      r[k] -= factor * r[k - 1];
    }
    inverse[k] = 1.0f / d[k];
  }
  // Upwards: `c` becomes the factor of the lane's last unknown; diagonals become 1.
#pragma unroll
  for (int k = kEach - 2; k >= 0; --k) {
    a[k] *= inverse[k];
    c[k] *= inverse[k];
    r[k] *= inverse[k];
    if (k < kEach - 2) {
      a[k] -= c[k] * a[k + 1];
      r[k] -= c[k] * r[k + 1];
      c[k] *= -c[k + 1];
    }
  }
  // The last equation's right neighbour is the next lane's first unknown, which follows from that lane's first equation.
  constexpr int last = kEach - 1;
  const float next_a = of_next(a[0]), next_c = of_next(c[0]), next_r = of_next(r[0]);
  float own = 1.0f / (d[last] - c[last] * next_a), before = a[last] * own, behind = -c[last] * next_c * own;
  own *= r[last] - c[last] * next_r;
#pragma unroll
  for (int distance = 1; distance < 32; distance *= 2) {
    // A lane that has none at this distance has 0 for a factor.
    const float up_before = __shfl_up_sync(kAll, before, distance), up_behind = __shfl_up_sync(kAll, behind, distance);
    const float up_own = __shfl_up_sync(kAll, own, distance), down_own = __shfl_down_sync(kAll, own, distance);
    const float down_before = __shfl_down_sync(kAll, before, distance), down_behind = __shfl_down_sync(kAll, behind, distance);
    const float scale = 1.0f / (1.0f - before * up_behind - behind * down_before);
    own = scale * (own - before * up_own - behind * down_own);
    before *= -scale * up_before;
    behind *= -scale * down_behind;
  }
  const float left = of_previous(own);
  float to[kEach];
#pragma unroll
  for (int k = 0; k < last; ++k) to[k] = r[k] - a[k] * left - c[k] * own;
  to[last] = own;
  x += b * N;
  if (N % kEach == 0) {
    if (first < N) *reinterpret_cast<float4*>(x + first) = make_float4(to[0], to[1], to[2], to[3]);
  } else {
    for (int k = 0; k < kEach; ++k)
      if (first + k < N) x[first + k] = to[k];
  }
}

extern "C" __global__ void solve_long(const float* __restrict__ lower, const float* __restrict__ diagonal, const float* __restrict__ upper,
                                      const float* __restrict__ right, float* __restrict__ x, float* __restrict__ ratios, int64_t B,
                                      int64_t N) {
  const int64_t b = blockIdx.x * 64ll + threadIdx.x, first = b * N;
  if (b >= B || N <= kMost) return;
  float ratio = 0, own = 0;
  for (int64_t i = first; i < first + N; ++i) {
    const float a = i > first ? lower[i] : 0, inverse = 1.0f / (diagonal[i] - a * ratio);
    own = (right[i] - a * own) * inverse;
    ratio = upper[i] * inverse;
    x[i] = own;
    ratios[i] = ratio;
  }
  for (int64_t i = first + N - 2; i >= first; --i) {
    own = x[i] - ratios[i] * own;
    x[i] = own;
  }
}

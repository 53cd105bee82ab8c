// SPDX-License-Identifier: Apache-2.0
// What all of N points do to each of them: to[i] is the sum over j of Pull::of(|d|^2 + Pull::kSoftening, weight of j) d, where d is the
// position of j less that of i. A block has 32 points, one for each lane, and its 32 warps share the others among them.
#pragma once

#include <stdint.h>

constexpr int kLanes = 32, kWarps = 32, kThreads = kLanes * kWarps;

// Estimates of the hardware, right to one or two units in the last place.
__device__ float fast_reciprocal_root(float x) {
  float y;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
__device__ float fast_reciprocal(float x) {
  float y;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

// For a grid [div_up(N, 32)]. weights may be null.
template <class Pull>
__device__ void pull_all(const float* __restrict__ positions, const float* __restrict__ weights, float* __restrict__ to, int64_t N) {
  __shared__ float4 others[kWarps][kLanes];
  __shared__ float sums[kWarps][3][kLanes];
  const int lane = threadIdx.x % kLanes, warp = threadIdx.x / kLanes;
  const int64_t first_own = blockIdx.x * (int64_t)kLanes, i = min(first_own + lane, N - 1);
  const float x = positions[3 * i], y = positions[3 * i + 1], z = positions[3 * i + 2];
  const auto fetch = [&](int64_t j) {
    return j < N ? make_float4(positions[3 * j], positions[3 * j + 1], positions[3 * j + 2], weights ? weights[j] : 1)
                 : make_float4(0, 0, 0, 0);
  };
  float sum_x = 0, sum_y = 0, sum_z = 0;
  float4 next = fetch(warp * kLanes + lane);
  for (int64_t first = warp * kLanes; first < N; first += kThreads) {
    others[warp][lane] = next;
    __syncwarp();
    if (first + kThreads < N) next = fetch(first + kThreads + lane);
    const int count = (int)min(N - first, (int64_t)kLanes);
#pragma unroll 8
    for (int k = 0; k < count; ++k) {
      const float4 other = others[warp][k];
      const float dx = other.x - x, dy = other.y - y, dz = other.z - z;
      const float pull = Pull::of(dx * dx + Pull::kSoftening + dy * dy + dz * dz, other.w);
      sum_x += pull * dx;
      sum_y += pull * dy;
      sum_z += pull * dz;
    }
    __syncwarp();
  }
  sums[warp][0][lane] = sum_x;
  sums[warp][1][lane] = sum_y;
  sums[warp][2][lane] = sum_z;
  __syncthreads();
  if (threadIdx.x >= 3 * kLanes) return;
  const int axis = threadIdx.x % 3, point = threadIdx.x / 3;
  float sum = 0;
  for (int w = 0; w < kWarps; ++w) sum += sums[w][axis][point];
  const int64_t at = first_own + point;
  if (at < N) to[3 * at + axis] = sum;
}

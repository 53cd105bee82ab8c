// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel keep_best grid [div_up(N, 8)] block [256] (scores, y, kept, N, E)
*/
// A warp has a row, of which each group belongs to four lanes. They hold up to four units of one or four numbers each; of longer groups
// they read the rest twice.
constexpr unsigned kAll = 0xffffffff;
constexpr int kGroups = 8, kBest = 4, kLanes = 4, kHeld = 4;

// The two largest numbers.
struct Two {
  float first = __int_as_float(0xff800000), second = first;

  __device__ void add(float v) {
    second = fmaxf(second, fminf(first, v));
    first = fmaxf(first, v);
  }
  __device__ void add(float4 v) {
    add(v.x);
    add(v.y);
    add(v.z);
    add(v.w);
  }
};

__device__ void lowest(float& v) { v = __int_as_float(0xff800000); }
__device__ void lowest(float4& v) { v.x = v.y = v.z = v.w = __int_as_float(0xff800000); }

template <class Unit>
__device__ void keep(const float* __restrict__ scores, float* __restrict__ y, bool* __restrict__ kept, long long E) {
  const int group = threadIdx.x % 32 / kLanes, lane = threadIdx.x % kLanes;
  const long long units = E * sizeof(float) / sizeof(Unit);
  const Unit* from = reinterpret_cast<const Unit*>(scores + group * E);
  Unit* to = reinterpret_cast<Unit*>(y + group * E);
  Unit held[kHeld];
  Two two;
#pragma unroll
  for (int i = 0; i < kHeld; ++i)
    if (lane + i * kLanes < units) held[i] = from[lane + i * kLanes];
#pragma unroll
  for (int i = 0; i < kHeld; ++i)
    if (lane + i * kLanes < units) two.add(held[i]);
  for (long long u = lane + kHeld * kLanes; u < units; u += kLanes) two.add(from[u]);
  for (int width = kLanes / 2; width > 0; width /= 2) {
    const float first = __shfl_xor_sync(kAll, two.first, width), second = __shfl_xor_sync(kAll, two.second, width);
    two.add(first);
    two.add(second);
  }
  const float value = two.first + two.second;
  int ahead = 0;
#pragma unroll
  for (int other = 0; other < kGroups; ++other) {
    const float its = __shfl_sync(kAll, value, other * kLanes);
    ahead += other < group ? its >= value : its > value;
  }
  const bool good = ahead < kBest;
  if (lane == 0) kept[group] = good;
  Unit none;
  lowest(none);
#pragma unroll
  for (int i = 0; i < kHeld; ++i)
    if (lane + i * kLanes < units) to[lane + i * kLanes] = good ? held[i] : none;
  for (long long u = lane + kHeld * kLanes; u < units; u += kLanes) to[u] = good ? from[u] : none;
}

extern "C" __global__ void keep_best(const float* __restrict__ scores, float* __restrict__ y, bool* __restrict__ kept, long long N,
                                     long long E) {
  const long long n = blockIdx.x * 8ll + threadIdx.x / 32;
  if (n >= N) return;
  scores += n * kGroups * E;
  y += n * kGroups * E;
  kept += n * kGroups;
  if (E % 4 == 0) keep<float4>(scores, y, kept, E);
  else keep<float>(scores, y, kept, E);
}

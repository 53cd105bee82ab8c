// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel normalise grid [N * div_up(H * W, 32)] block [256] (x, y, C, long(H * W))
*/
// A block has 32 neighbouring positions of a sample. Its threads take different channels, and hold eight of them each, so that with few
// channels x is read once.
constexpr int kThreads = 256, kPositions = 32, kHeld = 8;

__device__ float square_of(float v) { return v * v; }
__device__ float4 square_of(float4 v) { return make_float4(v.x * v.x, v.y * v.y, v.z * v.z, v.w * v.w); }
__device__ float add(float a, float b) { return a + b; }
__device__ float4 add(float4 a, float4 b) { return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }
__device__ float divide(float a, float b) { return a / b; }
__device__ float4 divide(float4 a, float4 b) { return make_float4(a.x / b.x, a.y / b.y, a.z / b.z, a.w / b.w); }

// Threads take the positions as Units of one or four numbers; so many channels are read at once.
template <class Unit>
__device__ void normalise_positions(const float* __restrict__ x, float* __restrict__ y, float (*part)[kPositions], long long C,
                                    long long plane, int width) {
  constexpr int kEach = sizeof(Unit) / sizeof(float), kLanes = kPositions / kEach, kStep = kThreads / kLanes;
  const int lane = threadIdx.x % kLanes, step = threadIdx.x / kLanes;
  const bool exists = lane * kEach < width;
  const float* in = x + lane * kEach;
  float* out = y + lane * kEach;
  Unit held[kHeld] = {}, sum = {};
  if (exists) {
#pragma unroll
    for (int i = 0; i < kHeld; ++i)
      if (step + i * kStep < C) held[i] = *reinterpret_cast<const Unit*>(in + (step + i * kStep) * plane);
#pragma unroll
    for (int i = 0; i < kHeld; ++i) sum = add(sum, square_of(held[i]));
#pragma unroll 4
    for (long long c = step + kHeld * kStep; c < C; c += kStep) sum = add(sum, square_of(*reinterpret_cast<const Unit*>(in + c * plane)));
  }
  *reinterpret_cast<Unit*>(&part[step][lane * kEach]) = sum;
  __syncthreads();
  if (threadIdx.x < kPositions) {
    float total = 0;
    for (int s = 0; s < kStep; ++s) total += part[s][threadIdx.x];
    part[0][threadIdx.x] = sqrtf(total / C + 1e-5f);
  }
  __syncthreads();
  if (!exists) return;
  const Unit root = *reinterpret_cast<const Unit*>(&part[0][lane * kEach]);
#pragma unroll
  for (int i = 0; i < kHeld; ++i)
    if (step + i * kStep < C) *reinterpret_cast<Unit*>(out + (step + i * kStep) * plane) = divide(held[i], root);
#pragma unroll 4
  for (long long c = step + kHeld * kStep; c < C; c += kStep)
    *reinterpret_cast<Unit*>(out + c * plane) = divide(*reinterpret_cast<const Unit*>(in + c * plane), root);
}

extern "C" __global__ void normalise(const float* __restrict__ x, float* __restrict__ y, long long C, long long plane) {
  alignas(16) __shared__ float part[kThreads / (kPositions / 4)][kPositions];
  const long long strips = (plane + kPositions - 1) / kPositions, n = blockIdx.x / strips;
  const long long first = (blockIdx.x - n * strips) * kPositions;
  const int width = (int)min(plane - first, (long long)kPositions);
  x += n * C * plane + first;
  y += n * C * plane + first;
  if (plane % 4 == 0) normalise_positions<float4>(x, y, part, C, plane, width);
  else normalise_positions<float>(x, y, part, C, plane, width);
}

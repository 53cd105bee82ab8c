// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel compare grid [div_up(N, 1024), min(div_up(M, 16), 65535)] block [256] (boxes, truth, overlap, N, M)
*/
// A thread keeps four neighbouring boxes, and meets 16 true ones with them.
constexpr int kThreads = 256, kEach = 4, kTruth = 16;

struct Box {
  float left, top, right, bottom, area;

  Box() = default;
  __device__ explicit Box(float4 corners)
      : left(fminf(corners.x, corners.z)), top(fminf(corners.y, corners.w)), right(fmaxf(corners.x, corners.z)),
        bottom(fmaxf(corners.y, corners.w)), area((right - left) * (bottom - top)) {}
};

__device__ float overlap_of(const Box& a, const Box& b) {
  const float width = fmaxf(fminf(a.right, b.right) - fmaxf(a.left, b.left), 0);
  const float height = fmaxf(fminf(a.bottom, b.bottom) - fmaxf(a.top, b.top), 0);
  const float common = __fmul_rn(width, height), all = a.area + b.area - common;
  return all > 0 ? common / all : 0;
}

extern "C" __global__ void compare(const float4* __restrict__ boxes, const float4* __restrict__ truth, float* __restrict__ overlap,
                                   long long N, long long M) {
  __shared__ Box meets[kTruth];
  const long long first = (blockIdx.x * (long long)kThreads + threadIdx.x) * kEach;
  Box own[kEach];
#pragma unroll
  for (int i = 0; i < kEach; ++i) own[i] = Box(first + i < N ? boxes[first + i] : make_float4(0, 0, 0, 0));
  for (long long begin = blockIdx.y * (long long)kTruth; begin < M; begin += gridDim.y * (long long)kTruth) {
    const int count = (int)min(M - begin, (long long)kTruth);
    __syncthreads();
    if (threadIdx.x < count) meets[threadIdx.x] = Box(truth[begin + threadIdx.x]);
    __syncthreads();
    for (int m = 0; m < count; ++m) {
      const Box box = meets[m];
      float shares[kEach];
#pragma unroll
      for (int i = 0; i < kEach; ++i) shares[i] = overlap_of(box, own[i]);
      float* to = overlap + (begin + m) * N + first;
      if (N % kEach == 0) {
        if (first < N) *reinterpret_cast<float4*>(to) = make_float4(shares[0], shares[1], shares[2], shares[3]);
        continue;
      }
#pragma unroll
      for (int i = 0; i < kEach; ++i)
        if (first + i < N) to[i] = shares[i];
    }
  }
}

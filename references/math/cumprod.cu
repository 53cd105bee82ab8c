// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel scan grid [N] block [256] (x, y, C)
*/
// A block has a row, and goes along it in steps of 1,024 numbers, four for each thread. The next step's numbers are on their way while this
// one's are multiplied, in double: a product of some numbers in the middle may be beyond float though those from the beginning are not.
constexpr int kThreads = 256, kWarps = kThreads / 32, kEach = 4, kStep = kThreads * kEach;
constexpr unsigned kAll = 0xffffffff;

__device__ float4 fetch(const float* __restrict__ x, long long c, long long C, bool aligned) {
  if (aligned && c + kEach <= C) return *reinterpret_cast<const float4*>(x + c);
  float v[kEach] = {1, 1, 1, 1};
  for (int i = 0; i < kEach; ++i)
    if (c + i < C) v[i] = x[c + i];
  return make_float4(v[0], v[1], v[2], v[3]);
}

__device__ void put(float* __restrict__ y, long long c, long long C, bool aligned, float4 v) {
  if (aligned && c + kEach <= C) {
    *reinterpret_cast<float4*>(y + c) = v;
    return;
  }
  const float each[kEach] = {v.x, v.y, v.z, v.w};
  for (int i = 0; i < kEach; ++i)
    if (c + i < C) y[c + i] = each[i];
}

extern "C" __global__ void scan(const float* __restrict__ x, float* __restrict__ y, long long C) {
  __shared__ double products[2][kWarps];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const bool aligned = C % kEach == 0;
  x += blockIdx.x * C;
  y += blockIdx.x * C;
  double before = 1;  // of all steps before
  float4 next = fetch(x, threadIdx.x * kEach, C, aligned);
  int side = 0;
  for (long long begin = 0; begin < C; begin += kStep, side ^= 1) {
    const long long c = begin + threadIdx.x * kEach;
    const float4 v = next;
    if (begin + kStep < C) next = fetch(x, c + kStep, C, aligned);
    const double one = v.x, two = one * v.y, three = two * v.z, four = three * v.w;
    double upto = four;
    for (int distance = 1; distance < 32; distance *= 2) {
      const double left = __shfl_up_sync(kAll, upto, distance);
      if (lane >= distance) upto *= left;
    }
    if (lane == 31) products[side][warp] = upto;
    double lead = __shfl_up_sync(kAll, upto, 1);
    if (lane == 0) lead = 1;
    __syncthreads();
    double in_front = before;
    for (int w = 0; w < kWarps; ++w) {
      if (w == warp) in_front = before;
      before *= products[side][w];
    }
    lead *= in_front;
    put(y, c, C, aligned, make_float4((float)(lead * one), (float)(lead * two), (float)(lead * three), (float)(lead * four)));
  }
}

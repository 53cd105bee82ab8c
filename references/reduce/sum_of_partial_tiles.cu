// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel add_up grid [R * Q] block [256] (partial, y, Q, P)
*/
// A block has a tile, a thread four neighbouring numbers of it.
constexpr int kSide = 32, kTile = kSide * kSide;

extern "C" __global__ void add_up(const float* __restrict__ partial, float* __restrict__ y, long long Q, long long P) {
  const int e = threadIdx.x * 4, row = e / kSide, column = e % kSide;
  const float* in = partial + blockIdx.x * P * kTile + e;
  float4 sum = make_float4(0, 0, 0, 0);
#pragma unroll 4
  for (long long p = 0; p < P; ++p) {
    const float4 v = *reinterpret_cast<const float4*>(in + p * kTile);
    sum = make_float4(sum.x + v.x, sum.y + v.y, sum.z + v.z, sum.w + v.w);
  }
  const long long r = blockIdx.x / Q, s = blockIdx.x % Q;
  *reinterpret_cast<float4*>(y + (r * kSide + row) * (Q * kSide) + s * kSide + column) = sum;
}

// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch part: float[B * N * max(1, min(M / max(64, 2048 / N), 2048 / (B * div_up(N, 32))))]
   kernel search_pieces grid [div_up(N, 32), B, max(1, min(M / max(64, 2048 / N), 2048 / (B * div_up(N, 32))))] block [256] (x, part, M, N)
   kernel search_parts  grid [div_up(N, 32), B] block [256] (part, y, long(max(1, min(M / max(64, 2048 / N), 2048 / (B * div_up(N, 32))))), N)
*/
// NaN is larger than any number.
#include "blocks/columns.cuh"

struct Largest {
  static __device__ float start() { return __int_as_float(0xff800000); }
  static __device__ float join(float a, float b) { return a > b || a != a ? a : b; }
};

extern "C" __global__ void search_pieces(const float* __restrict__ x, float* __restrict__ part, long long M, long long N) {
  fold<Largest>(x, M, N, [&](long long to, float largest) { part[to] = largest; });
}

extern "C" __global__ void search_parts(const float* __restrict__ part, float* __restrict__ y, long long pieces, long long N) {
  fold<Largest>(part, pieces, N, [&](long long to, float largest) { y[to] = largest; });
}

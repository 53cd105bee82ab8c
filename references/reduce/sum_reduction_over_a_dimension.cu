// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch part: float[B * N * max(1, min(M / max(64, 2048 / N), 2048 / (B * div_up(N, 32))))]
   kernel add_pieces grid [div_up(N, 32), B, max(1, min(M / max(64, 2048 / N), 2048 / (B * div_up(N, 32))))] block [256] (x, part, M, N)
   kernel add_parts  grid [div_up(N, 32), B] block [256] (part, y, long(max(1, min(M / max(64, 2048 / N), 2048 / (B * div_up(N, 32))))), N)
*/
#include "blocks/columns.cuh"

struct Sum {
  static __device__ float start() { return 0; }
  static __device__ float join(float a, float b) { return a + b; }
};

extern "C" __global__ void add_pieces(const float* __restrict__ x, float* __restrict__ part, long long M, long long N) {
  fold<Sum>(x, M, N, [&](long long to, float sum) { part[to] = sum; });
}

extern "C" __global__ void add_parts(const float* __restrict__ part, float* __restrict__ y, long long pieces, long long N) {
  fold<Sum>(part, pieces, N, [&](long long to, float sum) { y[to] = sum; });
}

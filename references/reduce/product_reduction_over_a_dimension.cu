// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch part: float[B * N * max(1, min(M / max(64, 2048 / N), 2048 / (B * div_up(N, 32))))]
   kernel multiply_pieces grid [div_up(N, 32), B, max(1, min(M / max(64, 2048 / N), 2048 / (B * div_up(N, 32))))] block [256] (x, part, M, N)
   kernel multiply_parts  grid [div_up(N, 32), B] block [256] (part, y, long(max(1, min(M / max(64, 2048 / N), 2048 / (B * div_up(N, 32))))), N)
*/
#include "blocks/columns.cuh"

struct Product {
  static __device__ float start() { return 1; }
  static __device__ float join(float a, float b) { return a * b; }
};

extern "C" __global__ void multiply_pieces(const float* __restrict__ x, float* __restrict__ part, long long M, long long N) {
  fold<Product>(x, M, N, [&](long long to, float product) { part[to] = product; });
}

extern "C" __global__ void multiply_parts(const float* __restrict__ part, float* __restrict__ y, long long pieces, long long N) {
  fold<Product>(part, pieces, N, [&](long long to, float product) { y[to] = product; });
}

// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch part: float[min(N, 396) * C]
   kernel of_rows    grid [min(N, 396)]   block [256] (x, weight, dy, dx, part, N, C)
   kernel add_pieces grid [div_up(C, 32)] block [256] (part, dweight, long(min(N, 396)), C)
*/
constexpr int kNumbers = 12;
#include "blocks/rms_norm_backward.cuh"

extern "C" __global__ void __launch_bounds__(kThreads, 3)
    of_rows(const float* __restrict__ x, const float* __restrict__ weight, const float* __restrict__ dy, float* __restrict__ dx,
            float* __restrict__ part, long long N, long long C) {
  if (C % 4 == 0) gradients_of_rows<float4>(dy, x, nullptr, weight, dx, part, N, C);
  else gradients_of_rows<float>(dy, x, nullptr, weight, dx, part, N, C);
}

extern "C" __global__ void add_pieces(const float* __restrict__ part, float* __restrict__ dweight, long long pieces, long long C) {
  fold<Sum>(part, pieces, C, [&](long long to, float sum) { dweight[to] = sum; });
}

// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel score grid [T, min(div_up(H, 8), 65535)] block [256] (q, keys, tokens, offsets, scores, B, H, D, M, T)
*/
// A warp has a head of a token, four numbers at a time where heads are a multiple of that. It looks for the token's request by bisection.
#include <stdint.h>

extern "C" __global__ void score(const float* __restrict__ q, const float* __restrict__ keys, const int64_t* __restrict__ tokens,
                                 const int64_t* __restrict__ offsets, float* __restrict__ scores, int64_t B, int64_t H, int64_t D,
                                 int64_t M, int64_t T) {
  const int64_t t = blockIdx.x;
  const int lane = threadIdx.x % 32;
  // The last request that begins at the token or before it: others may have no token.
  int64_t request = 0, behind = B;
  while (behind - request > 1) {
    const int64_t middle = (request + behind) / 2;
    if (offsets[middle] <= t) request = middle;
    else behind = middle;
  }
  const int64_t row = tokens[request * M + t - offsets[request]];
  for (int64_t h = blockIdx.y * 8ll + threadIdx.x / 32; h < H; h += gridDim.y * 8ll) {
    const float* key = keys + (row * H + h) * D;
    const float* query = q + (request * H + h) * D;
    float sum = 0;
    if (D % 4 == 0) {
      for (int64_t d = lane * 4; d < D; d += 128) {
        const float4 a = *reinterpret_cast<const float4*>(key + d), b = *reinterpret_cast<const float4*>(query + d);
        sum += (a.x * b.x + a.y * b.y) + (a.z * b.z + a.w * b.w);
      }
    } else {
      for (int64_t d = lane; d < D; d += 32) sum = fmaf(key[d], query[d], sum);
    }
    for (int width = 16; width > 0; width /= 2) sum += __shfl_xor_sync(0xffffffff, sum, width);
    if (lane == 0) scores[h * T + t] = sum / sqrtf((float)D);
  }
}

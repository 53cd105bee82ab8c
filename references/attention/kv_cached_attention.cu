// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch scores: float[B * N * S]
   kernel score_all grid [B * div_up(S, 32)] block [256] (q, keys, scores, N, D, S)
   kernel mix_all   grid [B * div_up(D, 32)] block [256] (scores, values, o, N, D, S)
*/
#include "blocks/decode.cuh"

extern "C" __global__ void score_all(const float* __restrict__ q, const float* __restrict__ keys, float* __restrict__ scores, long long N,
                                     long long D, long long S) {
  const long long parts = (S + kBlockKeys - 1) / kBlockKeys, b = blockIdx.x / parts;
  score_keys(q + b * N * D, keys + b * S * D, scores + b * N * S, N, S, S, D, 1 / sqrtf((float)D), blockIdx.x % parts * kBlockKeys);
}

extern "C" __global__ void mix_all(const float* __restrict__ scores, const float* __restrict__ values, float* __restrict__ o, long long N,
                                   long long D, long long S) {
  const long long parts = (D + kFeatures - 1) / kFeatures, b = blockIdx.x / parts;
  mix_values(scores + b * N * S, values + b * S * D, o + b * N * D, N, S, S, D, blockIdx.x % parts * kFeatures);
}

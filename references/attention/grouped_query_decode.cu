// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch scores: float[B * G * R * S]
   kernel score_groups grid [B * G * div_up(S, 32)] block [256] (q, keys, lengths, scores, G, R, D, S)
   kernel mix_groups   grid [B * G * div_up(D, 32)] block [256] (scores, values, lengths, o, G, R, D, S)
*/
#include "blocks/decode.cuh"

extern "C" __global__ void score_groups(const float* __restrict__ q, const float* __restrict__ keys, const long long* __restrict__ lengths,
                                        float* __restrict__ scores, long long G, long long R, long long D, long long S) {
  const long long parts = (S + kBlockKeys - 1) / kBlockKeys, group = blockIdx.x / parts;
  score_keys(q + group * R * D, keys + group * S * D, scores + group * R * S, R, lengths[group / G], S, D, 1 / sqrtf((float)D),
             blockIdx.x % parts * kBlockKeys);
}

extern "C" __global__ void mix_groups(const float* __restrict__ scores, const float* __restrict__ values,
                                      const long long* __restrict__ lengths, float* __restrict__ o, long long G, long long R, long long D,
                                      long long S) {
  const long long parts = (D + kFeatures - 1) / kFeatures, group = blockIdx.x / parts;
  mix_values(scores + group * R * S, values + group * S * D, o + group * R * D, R, lengths[group / G], S, D, blockIdx.x % parts * kFeatures);
}

// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel attend grid [B * H * div_up(V, 64), div_up(T, 64)] block [256] shared [4 * 64 * 68 * 4] (q, k, v, y, T, K, V)
*/
// A tile of 64 queries of one head meets one tile of keys after the other. The sums of weights and those of values stay in registers. A
// block has up to 64 features of the values; heads with more of them have several blocks, which all work out the scores.
#include "blocks/tiles.cuh"

constexpr unsigned kAll = 0xffffffff;

extern "C" __global__ void __launch_bounds__(kThreads)
    attend(const float* __restrict__ q, const float* __restrict__ k, const float* __restrict__ v, float* __restrict__ o, long long T,
           long long K, long long V) {
  extern __shared__ float4 dynamic[];
  const Tile query = reinterpret_cast<Tile>(dynamic), key = query + kSide, value = key + kSide, weight = value + kSide;
  const long long chunks = (V + kSide - 1) / kSide, head = blockIdx.x / chunks, first_feature = blockIdx.x % chunks * kSide;
  const long long first = (gridDim.y - 1 - blockIdx.y) * (long long)kSide;  // the longest come first
  q += head * T * K;
  k += head * T * K;
  v += head * T * V + first_feature;
  const Corner at;
  const float root = sqrtf((float)K);
  float sum[kPart][kPart] = {}, total[kPart] = {};

  for (long long k0 = 0; k0 <= first; k0 += kSide) {
    float score[kPart][kPart] = {};
    for (long long d0 = 0; d0 < K; d0 += kSide) {
      __syncthreads();
      if (k0 == 0 || K > kSide) load_turned(query, q + first * K + d0, T - first, K - d0, K);
      load_turned(key, k + k0 * K + d0, T - k0, K - d0, K);
      __syncthreads();
      multiply(score, query, key, (int)min(K - d0, (long long)kSide), at);
    }
    load(value, v + k0 * V, T - k0, V - first_feature, V);
    for (int i = 0; i < kPart; ++i)
      for (int j = 0; j < kPart; ++j) {
        const bool is_past = k0 + at.x + j <= first + at.y + i;
        const float scaled = is_past ? score[i][j] / root : 0;
        score[i][j] = scaled * scaled;
        total[i] += score[i][j];
      }
    store_turned(weight, score, at);
    __syncthreads();
    multiply(sum, weight, value, (int)min(T - k0, (long long)kSide), at);
  }
  for (int i = 0; i < kPart; ++i) {
    float all = total[i];
    for (int lanes = kAcross / 2; lanes > 0; lanes /= 2) all += __shfl_xor_sync(kAll, all, lanes);
    const long long row = first + at.y + i;
    for (int j = 0; j < kPart; ++j) {
      const long long feature = first_feature + at.x + j;
      if (row < T && feature < V) o[(head * T + row) * V + feature] = sum[i][j] / (all + 1e-5f);
    }
  }
}

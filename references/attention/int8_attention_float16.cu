// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel attend grid [B * H * div_up(D, 64), 2 * P] block [256] shared [4 * 64 * 68 * 4] (q, k, v, q_scale, k_scale, o, long(128 * P), D)
*/
// A tile of 64 queries of one head meets one tile of keys after the other. The largest score so far, the sum of exponentials relative to it
// and the sums of values stay in registers, and are scaled down where a larger score comes. A block has up to 64 features of the values;
// heads with more of them have several blocks, which all work out the scores.
// A tile of keys is one block of their scales, and one of queries half of a block of theirs.
#include "kernel.h"

constexpr int kRows = 64, kWide = kRows + 4, kPart = 4, kAcross = kRows / kPart, kThreads = kAcross * kAcross;
constexpr unsigned kAll = 0xffffffff;

__device__ float lowest() { return __int_as_float(0xff800000); }

template <class T>
struct alignas(8 * sizeof(T)) Eight {
  T v[8];
};

// Eight neighbouring features of a row, 0 outside.
template <class T>
__device__ void load_eight(const T* row, bool exists, int64_t feature, int64_t D, float (&into)[8]) {
  if (exists && feature < D && D % 8 == 0) {
    const Eight<T> all = *reinterpret_cast<const Eight<T>*>(row + feature);
    for (int i = 0; i < 8; ++i) into[i] = (float)all.v[i];
    return;
  }
  for (int i = 0; i < 8; ++i) into[i] = exists && feature + i < D ? (float)row[feature + i] : 0.0f;
}

extern "C" __global__ void __launch_bounds__(kThreads)
    attend(const int8_t* __restrict__ q, const int8_t* __restrict__ k, const float16* __restrict__ v,
           const float* __restrict__ q_scale, const float* __restrict__ k_scale, float16* __restrict__ o, int64_t N, int64_t D) {
  extern __shared__ __align__(16) float shared[];
  float(*query)[kWide] = reinterpret_cast<float(*)[kWide]>(shared);
  float(*key)[kWide] = query + kRows;
  float(*value)[kWide] = key + kRows;     // [key][feature]
  float(*weight)[kWide] = value + kRows;  // [key][query]
  const int64_t chunks = (D + kRows - 1) / kRows, head = blockIdx.x / chunks, first_feature = blockIdx.x % chunks * kRows;
  const int64_t first = blockIdx.y * (int64_t)kRows;
  const auto query_row = [&](int64_t n) { return q + (head * N + n) * D; };
  const auto key_row = [&](int64_t s) { return (head * N + s) * D; };
  const int x = threadIdx.x % kAcross, y = threadIdx.x / kAcross;
  float sum[kPart][kPart] = {}, top[kPart], total[kPart] = {};
  for (int i = 0; i < kPart; ++i) top[i] = lowest();

  for (int64_t k0 = 0; k0 < N; k0 += kRows) {
    float score[kPart][kPart] = {};
    for (int64_t d0 = 0; d0 < D; d0 += kRows) {
      __syncthreads();
      for (int e = threadIdx.x; e < kRows * kRows / 8; e += kThreads) {
        const int row = e % kRows, feature = e / kRows * 8;
        float eight[8];
        if (k0 == 0 || chunks > 1) {
          const bool exists = first + row < N;
          load_eight(exists ? query_row(first + row) : q, exists, d0 + feature, D, eight);
          for (int i = 0; i < 8; ++i) query[feature + i][row] = eight[i];
        }
        const bool exists = k0 + row < N;
        load_eight(exists ? k + key_row(k0 + row) : k, exists, d0 + feature, D, eight);
        for (int i = 0; i < 8; ++i) key[feature + i][row] = eight[i];
      }
      __syncthreads();
      const int depth = (int)min(D - d0, (int64_t)kRows);
#pragma unroll 8
      for (int d = 0; d < depth; ++d) {
        const float4 a = *reinterpret_cast<const float4*>(&query[d][y * kPart]), b = *reinterpret_cast<const float4*>(&key[d][x * kPart]);
        const float left[kPart] = {a.x, a.y, a.z, a.w}, right[kPart] = {b.x, b.y, b.z, b.w};
        for (int i = 0; i < kPart; ++i)
          for (int j = 0; j < kPart; ++j) score[i][j] = fmaf(left[i], right[j], score[i][j]);
      }
    }
    for (int e = threadIdx.x; e < kRows * kRows / 8; e += kThreads) {
      const int row = e / 8, feature = e % 8 * 8;
      const bool exists = k0 + row < N;
      float eight[8];
      load_eight(exists ? v + key_row(k0 + row) : v, exists, first_feature + feature, D, eight);
      for (int i = 0; i < 8; i += 4)
        *reinterpret_cast<float4*>(&value[row][feature + i]) = make_float4(eight[i], eight[i + 1], eight[i + 2], eight[i + 3]);
    }
    const float scale = q_scale[(head * N + first) / 128] * k_scale[(head * N + k0) / 64];
    for (int i = 0; i < kPart; ++i) {
      float highest = top[i];
      for (int j = 0; j < kPart; ++j) {
        const int64_t s = k0 + x * kPart + j;
        score[i][j] = s < N ? score[i][j] * scale : lowest();
        highest = fmaxf(highest, score[i][j]);
      }
      for (int lanes = kAcross / 2; lanes > 0; lanes /= 2) highest = fmaxf(highest, __shfl_xor_sync(kAll, highest, lanes));
      const float kept = top[i] == highest ? 1 : exp2f(top[i] - highest);
      top[i] = highest;
      total[i] *= kept;
      for (int j = 0; j < kPart; ++j) {
        score[i][j] = score[i][j] == lowest() ? 0 : exp2f(score[i][j] - highest);
        total[i] += score[i][j];
        sum[i][j] *= kept;
      }
    }
    for (int j = 0; j < kPart; ++j)
      *reinterpret_cast<float4*>(&weight[x * kPart + j][y * kPart]) = make_float4(score[0][j], score[1][j], score[2][j], score[3][j]);
    __syncthreads();
    const int count = (int)min(N - k0, (int64_t)kRows);
#pragma unroll 8
    for (int s = 0; s < count; ++s) {
      const float4 a = *reinterpret_cast<const float4*>(&weight[s][y * kPart]), b = *reinterpret_cast<const float4*>(&value[s][x * kPart]);
      const float left[kPart] = {a.x, a.y, a.z, a.w}, right[kPart] = {b.x, b.y, b.z, b.w};
      for (int i = 0; i < kPart; ++i)
        for (int j = 0; j < kPart; ++j) sum[i][j] = fmaf(left[i], right[j], sum[i][j]);
    }
  }
  for (int i = 0; i < kPart; ++i) {
    float all = total[i];
    for (int lanes = kAcross / 2; lanes > 0; lanes /= 2) all += __shfl_xor_sync(kAll, all, lanes);
    const int64_t n = first + y * kPart + i;
    if (n >= N) continue;
    for (int j = 0; j < kPart; ++j) {
      const int64_t feature = first_feature + x * kPart + j;
      if (feature < D) o[query_row(n) - q + feature] = __float2half_rn(sum[i][j] / all);
    }
  }
}

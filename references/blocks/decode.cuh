// SPDX-License-Identifier: Apache-2.0
// Attention of few queries for each head over many keys and values of D numbers, each of which is read once for four queries, in two steps:
// all scores, then for each head and 32 features the softmax of them and the means of values. Blocks have 256 threads.
#pragma once

constexpr int kThreads = 256, kWarps = kThreads / 32;
constexpr int kQueries = 4, kKeys = 4;           // that a warp brings together
constexpr int kBlockKeys = kKeys * kWarps;       // of a block, where scores are made
constexpr int kFeatures = 32, kFours = kFeatures / 4, kRows = kThreads / kFours;  // of a block, where values are summed, and rows at a time
constexpr unsigned kAll = 0xffffffff;

// Four numbers of a row of D, zeros outside.
__device__ float4 four_of(const float* row, long long first, long long D, bool aligned) {
  if (aligned) return first < D ? *reinterpret_cast<const float4*>(row + first) : make_float4(0, 0, 0, 0);
  return make_float4(first < D ? row[first] : 0, first + 1 < D ? row[first + 1] : 0, first + 2 < D ? row[first + 2] : 0,
                     first + 3 < D ? row[first + 3] : 0);
}

// scores[R, S] = `scale` times the products of R queries and the 32 keys from `first` on, of which there are `length`.
__device__ void score_keys(const float* q, const float* keys, float* scores, long long R, long long length, long long S, long long D,
                           float scale, long long first) {
  const int lane = threadIdx.x % 32;
  const bool aligned = D % 4 == 0;
  first += threadIdx.x / 32 * kKeys;
  if (first >= length) return;
  for (long long r0 = 0; r0 < R; r0 += kQueries) {
    float sum[kQueries * kKeys] = {};
#pragma unroll 2
    for (long long d = lane * 4; d < D; d += 128) {
      float4 key[kKeys];
      for (int j = 0; j < kKeys; ++j) key[j] = four_of(keys + min(first + j, length - 1) * D, d, D, aligned);
      for (int i = 0; i < kQueries; ++i) {
        const float4 query = four_of(q + min(r0 + i, R - 1) * D, d, D, aligned);
        for (int j = 0; j < kKeys; ++j) {
          float& s = sum[i * kKeys + j];
          s = fmaf(query.w, key[j].w, fmaf(query.z, key[j].z, fmaf(query.y, key[j].y, fmaf(query.x, key[j].x, s))));
        }
      }
    }
    // Lanes give half of their sums for the other half of another's, until each two lanes have one of the 16.
#pragma unroll
    for (int count = kQueries * kKeys / 2, width = 16; count > 0; count /= 2, width /= 2) {
      const bool is_upper = (lane & width) != 0;
      for (int i = 0; i < count; ++i) {
        const float given = is_upper ? sum[i] : sum[i + count];
        sum[i] = (is_upper ? sum[i + count] : sum[i]) + __shfl_xor_sync(kAll, given, width);
      }
    }
    const float whole = (sum[0] + __shfl_xor_sync(kAll, sum[0], 1)) * scale;
    const long long r = r0 + lane / (2 * kKeys), s = first + lane / 2 % kKeys;
    if (lane % 2 == 0 && r < R && s < length) scores[r * S + s] = whole;
  }
}

template <class F>
__device__ float4 each(float4 a, float4 b, F f) {
  return make_float4(f(a.x, b.x), f(a.y, b.y), f(a.z, b.z), f(a.w, b.w));
}

// Of all threads of the block, for all of them.
template <class Join>
__device__ float4 of_block(float4 value, Join join) {
  __shared__ float4 of_warp[kWarps];
  for (int width = 16; width > 0; width /= 2) {
    const float4 other = make_float4(__shfl_xor_sync(kAll, value.x, width), __shfl_xor_sync(kAll, value.y, width),
                                     __shfl_xor_sync(kAll, value.z, width), __shfl_xor_sync(kAll, value.w, width));
    value = each(value, other, join);
  }
  __syncthreads();
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
  __syncthreads();
  value = of_warp[0];
  for (int warp = 1; warp < kWarps; ++warp) value = each(value, of_warp[warp], join);
  return value;
}

// o[R, D] = softmax of scores[R, S], of which `length` count, times values[S, D], for the features from `first` on.
__device__ void mix_values(const float* scores, const float* values, float* o, long long R, long long length, long long S, long long D,
                           long long first) {
  __shared__ float4 weight[kThreads];  // of four queries for each key
  __shared__ float part[kWarps][kQueries][kFeatures];
  const int thread = threadIdx.x, x = thread % kFours, y = thread / kFours;
  const bool aligned = D % 4 == 0;
  const auto add = [](float a, float b) { return a + b; };
  const auto larger = [](float a, float b) { return fmaxf(a, b); };
  for (long long r0 = 0; r0 < R; r0 += kQueries) {
    const auto scores_of = [&](long long s) {
      const auto score = [&](int i) { return scores[min(r0 + i, R - 1) * S + s]; };
      return make_float4(score(0), score(1), score(2), score(3));
    };
    const float lowest = __int_as_float(0xff800000);
    float4 top = make_float4(lowest, lowest, lowest, lowest), total = make_float4(0, 0, 0, 0);
    for (long long s = thread; s < length; s += kThreads) top = each(top, scores_of(s), larger);
    top = of_block(top, larger);
    float sum[kQueries][4] = {};
    for (long long s0 = 0; s0 < length; s0 += kThreads) {
      float4 powers = make_float4(0, 0, 0, 0);
      if (s0 + thread < length) powers = each(scores_of(s0 + thread), top, [](float score, float most) { return expf(score - most); });
      total = each(total, powers, add);
      __syncthreads();
      weight[thread] = powers;
      __syncthreads();
#pragma unroll 8
      for (int row = y; row < kThreads; row += kRows) {
        if (s0 + row >= length) break;
        const float4 v = four_of(values + (s0 + row) * D, first + x * 4, D, aligned), w = weight[row];
        const float left[kQueries] = {w.x, w.y, w.z, w.w}, right[4] = {v.x, v.y, v.z, v.w};
        for (int i = 0; i < kQueries; ++i)
          for (int f = 0; f < 4; ++f) sum[i][f] = fmaf(left[i], right[f], sum[i][f]);
      }
    }
    total = of_block(total, add);
    for (int i = 0; i < kQueries; ++i)
      for (int f = 0; f < 4; ++f) {
        for (int width = 16; width >= kFours; width /= 2) sum[i][f] += __shfl_xor_sync(kAll, sum[i][f], width);
        if (thread % 32 < kFours) part[thread / 32][i][x * 4 + f] = sum[i][f];
      }
    __syncthreads();
    const long long r = r0 + thread / kFeatures, feature = first + thread % kFeatures;
    if (thread < kQueries * kFeatures && r < R && feature < D) {
      float all = 0;
      for (int warp = 0; warp < kWarps; ++warp) all += part[warp][thread / kFeatures][thread % kFeatures];
      const float totals[kQueries] = {total.x, total.y, total.z, total.w};
      o[r * D + feature] = all / totals[thread / kFeatures];
    }
  }
}

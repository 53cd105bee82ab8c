// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch weights: float[B * H * S]
   kernel score_rows grid [B * div_up(H, 64) * div_up(S, 64)] block [128] (q, cache, lengths, scale, weights, H, long(L + P), S)
   kernel soften     grid [B * H] block [512] (weights, lengths, H, S)
   kernel mix_rows   grid [B * div_up(H, 64) * div_up(L, 64)] block [512] (weights, cache, lengths, o, H, L, P, S)
*/
// The heads of a sequence are the rows of one matrix, as its cache serves all of them: two products, with the softmax in between.
#include "blocks/product.cuh"

constexpr int kNumbers = 8;
#include "blocks/rows.cuh"

// A block's sequence, its first head and the first row or column of the other matrix, which has `columns` of them.
struct Place {
  long long b, head, column;
  __device__ Place(long long H, long long columns) {
    const unsigned across = (columns + kTile - 1) / kTile, down = (H + kTile - 1) / kTile;
    b = blockIdx.x / (across * down);
    head = blockIdx.x / across % down * (long long)kTile;
    column = blockIdx.x % across * (long long)kTile;
  }
};

// Of numbers for each head. Rows are fetched by fours where both halves of a tile exist: of up to 32 heads, the lower half is the upper one again.
__device__ Rows rows_of_heads(const float* p, long long first, long long H, long long depth) {
  Rows rows(p, first, H, depth);
  if (H - first <= kTile / 2) {
    rows.below = rows.from;
    rows.left_below = rows.left;
  }
  return rows;
}

extern "C" __global__ void __launch_bounds__(kGroup, 4)
    score_rows(const float* __restrict__ q, const float* __restrict__ cache, const long long* __restrict__ lengths,
               const float* __restrict__ scale, float* __restrict__ scores, long long H, long long width, long long S) {
  const Place place(H, S);
  const long long b = place.b, length = lengths[b];
  if (place.column >= length) return;
  const StoreRows store(scores + b * H * S, place.head, H, place.column, S);
  const float factor = *scale;
  multiply_alone(rows_of_heads(q + b * H * width, place.head, H, width), Rows(cache + b * S * width, place.column, length, width), width,
                 [&](int row, int column, float2 pair) { store(row, column, make_float2(pair.x * factor, pair.y * factor)); });
}

__device__ float larger_of_block(float value) {
  __shared__ float warps[kWarps];
  for (int width = 16; width > 0; width /= 2) value = fmaxf(value, __shfl_xor_sync(kAll, value, width));
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = value;
  __syncthreads();
  value = warps[0];
  for (int warp = 1; warp < kWarps; ++warp) value = fmaxf(value, warps[warp]);
  return value;
}

// In place. Behind the last key come zeros, as the next product takes its terms by fours.
extern "C" __global__ void __launch_bounds__(kThreads)
    soften(float* __restrict__ weights, const long long* __restrict__ lengths, long long H, long long S) {
  const long long length = lengths[blockIdx.x / H];
  float* row = weights + blockIdx.x * S;
  const Row<float> scores(row, length);
  float top = __int_as_float(0xff800000), total = 0;
  scores.each([&](long long, float score) { top = fmaxf(top, score); });
  top = larger_of_block(top);
  scores.each([&](long long, float score) { total += expf(score - top); });
  total = sum_of_block(total);
  // What is below 2^-100 of the sum is none, so that all weights are sums of bfloat16.
  scores.each([&](long long s, float score) {
    const float weight = expf(score - top) / total;
    row[s] = weight < 0x1p-100f ? 0 : weight;
  });
  if (threadIdx.x < 4 && length + threadIdx.x < S) row[length + threadIdx.x] = 0;
}

extern "C" __global__ void __launch_bounds__(kThreads, 1)
    mix_rows(const float* __restrict__ weights, const float* __restrict__ cache, const long long* __restrict__ lengths, float* __restrict__ o,
             long long H, long long L, long long P, long long S) {
  const Place place(H, L);
  const long long b = place.b, width = L + P, length = lengths[b];
  Rows of_heads = rows_of_heads(weights + b * H * S, place.head, H, S);
  of_heads.left = min(of_heads.left, (int)length - of_heads.term);
  of_heads.left_below = min(of_heads.left_below, (int)length - of_heads.term);
  const auto whole = multiply(of_heads, Columns(cache + b * S * width, place.column, width, length), 0, length);
  for (int e = threadIdx.x; e < kTile * kTile; e += kThreads) {
    const long long head = place.head + e / kTile, at = place.column + e % kTile;
    if (head < H && at < L) o[(b * H + head) * L + at] = whole[e / kTile][e % kTile];
  }
}

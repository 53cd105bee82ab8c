// SPDX-License-Identifier: Apache-2.0
// Softmax attention on tensor cores, one head for each block, which keeps no scores. A warp has 16 of a block's 64 queries, and meets 64
// keys after the other. The largest score so far, the sum of exponentials relative to it and the sums of values stay in registers, and are
// scaled down where a larger score comes. A block has up to 64 features of the values; heads with more of them have several blocks, which
// all work out the scores.
//
// Tensor cores multiply 16-bit numbers. A float is the sum of three bfloat16, and of the nine products of two such sums the six largest are
// summed: what is left out is some 2^-26 of the product. Products of 16-bit inputs are exact; a weight is then the sum of two float16 or
// three bfloat16. Tensor cores cut off what they add, so they sum 16 terms at a time, and those sums are added as usual.
// Grid [heads * div_up(D, 64), div_up(N, 64)] block [128], shared [9 * 64 * 72 * 2] for float, [6 * 64 * 72 * 2] for 16 bits.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline_primitives.h>

constexpr int kRows = 64, kWide = kRows + 8, kAttending = 128;
constexpr int kSteps = kRows / 16, kTiles = kRows / 8;  // of keys or features: what tensor cores take and give at a time

// What shared memory has of inputs, in how many parts; 16-bit ones are copied while the ones before are worked on.
template <class T>
struct Input {
  using Part = T;
  static constexpr int kParts = 1, kSides = 2;
};
template <>
struct Input<float> {
  using Part = __nv_bfloat16;
  static constexpr int kParts = 3, kSides = 1;
};

template <class Part>
constexpr int kWeightParts = 3;
template <>
constexpr int kWeightParts<__half> = 2;

// The rows of a head are any distance apart. Where D is a multiple of 4, or 8 for 16-bit numbers, so is where they begin.
template <class T>
struct Head {
  T* rows;
  long long stride;
};
template <class T>
Head(T*, long long) -> Head<T>;

// A query sees the keys from `begin` up to and without `end`, neither of which lies before that of the query before.
struct Seen {
  long long begin, end;
};

struct SeesAll {
  long long S;
  __device__ Seen operator()(long long) const { return {0, S}; }
};

struct SeesPast {
  __device__ Seen operator()(long long n) const { return {0, n + 1}; }
};

struct AsItIs {
  __device__ float operator()(long long, long long, float score) const { return score; }
};

__device__ float lowest() { return __int_as_float(0xff800000); }

__device__ long long head_of_block(long long D) { return blockIdx.x / ((D + kRows - 1) / kRows); }

// Two numbers side by side, which lose what is left of them.
__device__ unsigned take_part(float& a, float& b, __nv_bfloat16) {
  const __nv_bfloat162 both = __floats2bfloat162_rn(a, b);
  a -= __low2float(both);
  b -= __high2float(both);
  return *reinterpret_cast<const unsigned*>(&both);
}
__device__ unsigned take_part(float& a, float& b, __half) {
  const __half2 both = __floats2half2_rn(a, b);
  a -= __low2float(both);
  b -= __high2float(both);
  return *reinterpret_cast<const unsigned*>(&both);
}

// Four matrices of 8 x 8, of whose rows each lane shows one; `turned` where columns are wanted.
template <bool turned>
__device__ void load_matrices(unsigned (&into)[4], const void* row) {
  const unsigned address = (unsigned)__cvta_generic_to_shared(row);
  if constexpr (turned)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(into[0]), "=r"(into[1]), "=r"(into[2]), "=r"(into[3])
                 : "r"(address)
                 : "memory");
  else
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(into[0]), "=r"(into[1]), "=r"(into[2]), "=r"(into[3])
                 : "r"(address)
                 : "memory");
}

__device__ void multiply_part(float (&sum)[4], const unsigned (&a)[4], unsigned b0, unsigned b1, __half) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}
__device__ void multiply_part(float (&sum)[4], const unsigned (&a)[4], unsigned b0, unsigned b1, __nv_bfloat16) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// Adds the products of 16 rows and 16 columns, over 16 terms, to two tiles of sums, the smallest first.
template <class Part, int left, int right>
__device__ void add_products(float (&sum)[4], float (&next)[4], const unsigned (&a)[left][4], const unsigned (&b)[right][4]) {
  float some[2][4] = {};
#pragma unroll
  for (int order = max(left, right) - 1; order >= 0; --order)
    for (int p = min(order, left - 1); p >= 0 && order - p < right; --p)
      for (int j = 0; j < 2; ++j) multiply_part(some[j], a[p], b[order - p][j * 2], b[order - p][j * 2 + 1], Part{});
  for (int e = 0; e < 4; ++e) {
    sum[e] += some[0][e];
    next[e] += some[1][e];
  }
}

// The first rows and features of what is left of a head; zeros outside.
template <class T>
__device__ void copy_tile(T (*tile)[kRows][kWide], const T* from, long long stride, long long rows, long long features, long long D) {
  if (D % 8 == 0) {
#pragma unroll 1
    for (int e = threadIdx.x; e < kRows * kTiles; e += kAttending) {
      const int row = e / kTiles, feature = e % kTiles * 8;
      const bool inside = row < rows && feature < features;
      __pipeline_memcpy_async(&tile[0][row][feature], inside ? from + row * stride + feature : from, 16, inside ? 0 : 16);
    }
    return;
  }
#pragma unroll 1
  for (int e = threadIdx.x; e < kRows * kRows; e += kAttending) {
    const int row = e / kRows, feature = e % kRows;
    tile[0][row][feature] = row < rows && feature < features ? from[row * stride + feature] : T(0.0f);
  }
}
__device__ void copy_tile(__nv_bfloat16 (*parts)[kRows][kWide], const float* from, long long stride, long long rows, long long features,
                          long long D) {
  constexpr int kFours = kRows / 4, kStep = kAttending / kFours;
  const int feature = threadIdx.x % kFours * 4;
#pragma unroll 4
  for (int i = 0; i < kRows / kStep; ++i) {
    const int row = threadIdx.x / kFours + i * kStep;
    const float* at = from + row * stride + feature;
    float4 four = make_float4(0, 0, 0, 0);
    if (row < rows && feature < features) {
      if (D % 4 == 0) {
        four = __ldg(reinterpret_cast<const float4*>(at));
      } else {
        four.x = at[0];
        if (feature + 1 < features) four.y = at[1];
        if (feature + 2 < features) four.z = at[2];
        if (feature + 3 < features) four.w = at[3];
      }
    }
    for (int p = 0; p < 3; ++p) {
      const unsigned left = take_part(four.x, four.y, __nv_bfloat16{}), right = take_part(four.z, four.w, __nv_bfloat16{});
      *reinterpret_cast<uint2*>(&parts[p][row][feature]) = make_uint2(left, right);
    }
  }
}

__device__ void store_pair(float* to, float left, float right) { *reinterpret_cast<float2*>(to) = make_float2(left, right); }
__device__ void store_pair(__half* to, float left, float right) { *reinterpret_cast<__half2*>(to) = __floats2half2_rn(left, right); }
__device__ void store_pair(__nv_bfloat16* to, float left, float right) {
  *reinterpret_cast<__nv_bfloat162*>(to) = __floats2bfloat162_rn(left, right);
}

// o = the values' means for N queries: see(n) are the keys of query n, and score_of(n, s, score) makes a score of the product over the root of D.
// `sink` is a score without a key.
template <class T, class See, class ScoreOf = AsItIs>
__device__ void attend(Head<const T> q, Head<const T> k, Head<const T> v, Head<T> o, long long N, long long D, See see, ScoreOf score_of = {},
                       float sink = lowest()) {
  extern __shared__ __align__(16) char shared[];
  using Part = typename Input<T>::Part;
  constexpr int kParts = Input<T>::kParts, kSides = Input<T>::kSides;
  using Tile = Part[kParts][kRows][kWide];
  Tile* query = reinterpret_cast<Tile*>(shared);
  Tile* key = query + kSides;
  Tile* value = key + kSides;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, x = lane % 4 * 2, y = warp * 16 + lane / 4;
  const long long chunks = (D + kRows - 1) / kRows, first_feature = blockIdx.x % chunks * kRows;
  const long long first = (gridDim.y - 1 - (long long)blockIdx.y) * kRows;  // where the keys end with the query, the longest come first
  const long long begin = see(first).begin, end = see(min(first + kRows, N) - 1).end;
  const float scale = 1 / sqrtf((float)D);
  float sum[kTiles][4] = {}, top[2] = {sink, sink}, total[2];
  for (float& all : total) all = x == 0 && sink != lowest() ? 1 : 0;

  // A step has 64 features of 64 keys; with the first ones of these come their values.
  const auto fetch = [&](long long k0, long long d0, int side) {
    if (chunks > 1 || k0 == begin) copy_tile(query[side], q.rows + first * q.stride + d0, q.stride, N - first, D - d0, D);
    copy_tile(key[side], k.rows + k0 * k.stride + d0, k.stride, end - k0, D - d0, D);
    if (d0 == 0)
      copy_tile(value[(k0 - begin) / kRows % kSides], v.rows + k0 * v.stride + first_feature, v.stride, end - k0, D - first_feature, D);
  };
  if (kSides == 2) {
    fetch(begin, 0, 0);
    __pipeline_commit();
  }
  int side = 0;
  for (long long k0 = begin; k0 < end; k0 += kRows) {
    float score[kTiles][4] = {};
    for (long long d0 = 0; d0 < D; d0 += kRows) {
      if (kSides == 2) {
        __pipeline_wait_prior(0);
        __syncthreads();
        const bool is_last = d0 + kRows >= D;
        if (!is_last || k0 + kRows < end) fetch(is_last ? k0 + kRows : k0, is_last ? 0 : d0 + kRows, side ^ 1);
        __pipeline_commit();
      } else {
        __syncthreads();
        fetch(k0, d0, 0);
        __syncthreads();
      }
#pragma unroll
      for (int step = 0; step < kSteps; ++step) {
        unsigned a[kParts][4];
        for (int p = 0; p < kParts; ++p)
          load_matrices<false>(a[p], &query[chunks > 1 ? side : 0][p][warp * 16 + lane % 16][step * 16 + lane / 16 * 8]);
        for (int j = 0; j < kTiles; j += 2) {
          unsigned b[kParts][4];
          for (int p = 0; p < kParts; ++p)
            load_matrices<false>(b[p], &key[side][p][j * 8 + lane % 8 + lane / 16 * 8][step * 16 + lane / 8 % 2 * 8]);
          add_products<Part>(score[j], score[j + 1], a, b);
        }
      }
      side = (side + 1) % kSides;
    }
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const long long n = first + y + half * 8;
      const Seen seen = see(n);
      const int from = (int)max(seen.begin - k0, 0ll), to = (int)min(min(seen.end, end) - k0, (long long)kRows);
      float highest = top[half];
      for (int j = 0; j < kTiles; ++j)
        for (int e = 0; e < 2; ++e) {
          float& number = score[j][half * 2 + e];
          const int s = j * 8 + x + e;
          number = from <= s && s < to ? score_of(n, k0 + s, number * scale) : lowest();
          highest = fmaxf(highest, number);
        }
      for (int lanes = 2; lanes > 0; lanes /= 2) highest = fmaxf(highest, __shfl_xor_sync(0xffffffff, highest, lanes));
      const float kept = top[half] == highest ? 1 : expf(top[half] - highest);
      top[half] = highest;
      total[half] *= kept;
      for (int j = 0; j < kTiles; ++j)
        for (int e = 0; e < 2; ++e) {
          float& number = score[j][half * 2 + e];
          number = number == lowest() ? 0 : expf(number - highest);
          total[half] += number;
          sum[j][half * 2 + e] *= kept;
        }
    }
    // What a lane has of two tiles of weights is what it gives of 16 keys.
#pragma unroll
    for (int step = 0; step < kSteps; ++step) {
      unsigned a[kWeightParts<Part>][4];
      for (int i = 0; i < 4; ++i) {
        float* pair = &score[step * 2 + i / 2][i % 2 * 2];
        for (auto& part : a) part[i] = take_part(pair[0], pair[1], Part{});
      }
      for (int j = 0; j < kTiles; j += 2) {
        unsigned b[kParts][4];
        for (int p = 0; p < kParts; ++p)
          load_matrices<true>(b[p], &value[(k0 - begin) / kRows % kSides][p][step * 16 + lane % 16][j * 8 + lane / 16 * 8]);
        add_products<Part>(sum[j], sum[j + 1], a, b);
      }
    }
  }
  for (int half = 0; half < 2; ++half) {
    float all = total[half];
    for (int lanes = 2; lanes > 0; lanes /= 2) all += __shfl_xor_sync(0xffffffff, all, lanes);
    const long long n = first + y + half * 8;
    if (n >= N) continue;
    for (int j = 0; j < kTiles; ++j) {
      const long long feature = first_feature + j * 8 + x;
      if (feature >= D) break;
      const float left = sum[j][half * 2] / all, right = sum[j][half * 2 + 1] / all;
      T* to = o.rows + n * o.stride + feature;
      if (D % 2 == 0) {
        store_pair(to, left, right);
      } else {
        to[0] = T(left);
        if (feature + 1 < D) to[1] = T(right);
      }
    }
  }
}

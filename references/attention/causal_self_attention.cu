// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch packed: float[B * T * 3 * H * D]
   scratch mixed: float[B * T * H * D]
   kernel layer  grid [div_up(3 * H * D, 128), div_up(B * T, 128)] block [256] (x, w, b, packed, long(B * T), long(H * D), long(3 * H * D))
   kernel attend grid [B * H * div_up(D, 64), div_up(T, 64)] block [256] shared [4 * 64 * 68 * 4] (packed, mixed, T, H, D)
   kernel layer  grid [div_up(H * D, 128), div_up(B * T, 128)] block [256] (mixed, u, c, y, long(B * T), long(H * D), long(H * D))
*/
// Two linear layers, and between them attention that keeps no scores. A block of a layer computes a tile of 128 x 128, a thread has 8 x
// 8 of it in registers; what comes next is fetched into registers while shared memory is worked on.
constexpr int kTile = 128, kDepth = 8, kEach = 8, kSlices = 1;
constexpr int kSide = kTile / kEach, kGroup = kSide * kSide, kThreads = kGroup * kSlices;
constexpr int kFetched = kTile * kDepth / kGroup;  // of each matrix, by a thread at a time
constexpr int kPitch = kTile + 4;                  // what threads store side by side lies in different banks

// The i-th of a thread's rows or columns in its tile: fours that lie apart, so that neighbours read different banks.
__device__ int place_of(int side, int i) { return i / 4 * (kTile / (kEach / 4)) + side * 4 + i % 4; }

// A matrix knows what a thread fetches of it: `fetch` gives what the sums meet from term k on, 0 outside, and `put` stores it in a tile of
// [term][row or column]. Of a row of terms that lie side by side it is kFetched of them.
struct AlongTerms {
  static constexpr int kParts = kDepth / kFetched;
  int row, term;  // in the tile

  __device__ AlongTerms() : row(threadIdx.x % kGroup / kParts), term(threadIdx.x % kGroup % kParts * kFetched) {}
  __device__ void put(float (*tile)[kPitch], const float (&from)[kFetched]) const {
    for (int i = 0; i < kFetched; ++i) tile[term + i][row] = from[i];
  }
};

// The sums over `begin` <= k < `end` of what two matrices give: element (i, j) is in row place_of(y, i) and column place_of(x, j).
template <class Left, class Right>
__device__ void multiply(const Left& left, const Right& right, long long begin, long long end, float (&sum)[kEach][kEach]) {
  alignas(16) __shared__ float tiles[kSlices][2][2][kDepth][kPitch];
  const int slice = threadIdx.x / kGroup, thread = threadIdx.x % kGroup, x = thread % kSide, y = thread / kSide;
  float ahead_left[kFetched], ahead_right[kFetched];
  for (int i = 0; i < kEach; ++i)
    for (int j = 0; j < kEach; ++j) sum[i][j] = 0;
  long long k = begin + slice * kDepth;
  left.fetch(k, ahead_left);
  right.fetch(k, ahead_right);
  int side = 0;
  for (long long first = begin; first < end; first += kSlices * kDepth, side ^= 1) {
    left.put(tiles[slice][side][0], ahead_left);
    right.put(tiles[slice][side][1], ahead_right);
    __syncthreads();
    k += kSlices * kDepth;
    if (first + kSlices * kDepth < end) {
      left.fetch(k, ahead_left);
      right.fetch(k, ahead_right);
    }
#pragma unroll
    for (int d = 0; d < kDepth; ++d) {
      alignas(16) float a[kEach], b[kEach];
      for (int i = 0; i < kEach; i += 4) {
        *reinterpret_cast<float4*>(a + i) = *reinterpret_cast<const float4*>(&tiles[slice][side][0][d][place_of(y, i)]);
        *reinterpret_cast<float4*>(b + i) = *reinterpret_cast<const float4*>(&tiles[slice][side][1][d][place_of(x, i)]);
      }
      for (int i = 0; i < kEach; ++i)
        for (int j = 0; j < kEach; ++j) sum[i][j] = fmaf(a[i], b[j], sum[i][j]);
    }
  }
}

__device__ void load_fours(const float* from, float (&into)[kFetched]) {
  for (int i = 0; i < kFetched; i += 4) {
    const float4 v = *reinterpret_cast<const float4*>(from + i);
    into[i] = v.x;
    into[i + 1] = v.y;
    into[i + 2] = v.z;
    into[i + 3] = v.w;
  }
}

// Row-major, one row for each row or column of the product.
struct Rows : AlongTerms {
  const float* from;
  long long depth;  // 0 of a row outside
  bool aligned;

  __device__ Rows(const float* p, long long first, long long rows, long long depth)
      : from(p + (first + row) * depth), depth(first + row < rows ? depth : 0), aligned(depth % 4 == 0) {}
  __device__ void fetch(long long k, float (&into)[kFetched]) const {
    k += term;
    if (k + kFetched > depth) {
      for (int i = 0; i < kFetched; ++i) into[i] = k + i < depth ? from[k + i] : 0;
    } else if (aligned) {
      load_fours(from + k, into);
    } else {
      for (int i = 0; i < kFetched; ++i) into[i] = from[k + i];
    }
  }
};

// Row-major, one row for each term of the sums. A thread fetches fours that lie apart.
struct Columns {
  static constexpr int kAcross = kTile / kFetched;
  const float* from;
  long long columns, depth;
  int row, column, left;  // in the tile; columns that there are from the thread's first one on

  __device__ Columns(const float* p, long long first, long long columns, long long depth)
      : columns(columns), depth(depth), row(threadIdx.x % kGroup / kAcross), column(threadIdx.x % kGroup % kAcross * 4) {
    from = p + first + column;
    left = (int)min(columns - first - column, (long long)kTile);
  }
  __device__ void fetch(long long k, float (&into)[kFetched]) const {
    k += row;
    for (int f = 0; f < kFetched; f += 4) {
      const int at = f / 4 * (kTile / (kFetched / 4));
      const float* v = from + k * columns + at;
      if (k < depth && columns % 4 == 0 && at < left) {
        const float4 all = *reinterpret_cast<const float4*>(v);
        into[f] = all.x;
        into[f + 1] = all.y;
        into[f + 2] = all.z;
        into[f + 3] = all.w;
      } else {
        for (int i = 0; i < 4; ++i) into[f + i] = k < depth && at + i < left ? v[i] : 0;
      }
    }
  }
  __device__ void put(float (*tile)[kPitch], const float (&values)[kFetched]) const {
    for (int f = 0; f < kFetched; f += 4)
      *reinterpret_cast<float4*>(&tile[row][column + f / 4 * (kTile / (kFetched / 4))]) =
          make_float4(values[f], values[f + 1], values[f + 2], values[f + 3]);
  }
};

extern "C" __global__ void __launch_bounds__(kThreads, 2)
    layer(const float* __restrict__ x, const float* __restrict__ w, const float* __restrict__ b, float* __restrict__ y, long long M,
          long long K, long long N) {
  const long long m0 = blockIdx.y * (long long)kTile, n0 = blockIdx.x * (long long)kTile;
  float sum[kEach][kEach];
  multiply(Rows(x, m0, M, K), Columns(w, n0, N, K), 0, K, sum);
  for (int i = 0; i < kEach; ++i)
    for (int j = 0; j < kEach; ++j) {
      const long long m = m0 + place_of(threadIdx.x / kSide, i), n = n0 + place_of(threadIdx.x % kSide, j);
      if (m < M && n < N) y[m * N + n] = sum[i][j] + b[n];
    }
}

// A tile of 64 queries of one head meets one tile of keys after the other. The largest score so far, the sum of exponentials relative to it
// and the sums of values stay in registers, and are scaled down where a larger score comes. A block has up to 64 features of the values;
// heads with more of them have several blocks, which all work out the scores.
constexpr int kRows = 64, kWide = kRows + 4, kPart = 4, kAcross = kRows / kPart;
constexpr unsigned kAll = 0xffffffff;

// tile[feature][row] = from[row * stride + feature], and 0 outside.
__device__ void load_turned(float (*tile)[kWide], const float* from, long long rows, long long features, long long stride) {
  for (int e = threadIdx.x; e < kRows * kRows; e += kAcross * kAcross) {
    const int row = e / kRows, feature = e % kRows;
    tile[feature][row] = row < rows && feature < features ? from[row * stride + feature] : 0;
  }
}

extern "C" __global__ void __launch_bounds__(kAcross* kAcross)
    attend(const float* __restrict__ packed, float* __restrict__ mixed, long long T, long long H, long long D) {
  extern __shared__ float shared[];
  float(*query)[kWide] = reinterpret_cast<float(*)[kWide]>(shared);
  float(*key)[kWide] = query + kRows;
  float(*value)[kWide] = key + kRows;     // [key][feature]
  float(*weight)[kWide] = value + kRows;  // [key][query]
  const long long chunks = (D + kRows - 1) / kRows, head = blockIdx.x / chunks, first_feature = blockIdx.x % chunks * kRows;
  const long long b = head / H, h = head % H, width = H * D, stride = 3 * width;
  const long long first = (gridDim.y - 1 - blockIdx.y) * (long long)kRows;  // the longest come first
  const float* of_head = packed + b * T * stride + h * D;
  const int x = threadIdx.x % kAcross, y = threadIdx.x / kAcross;
  const float scale = 1 / sqrtf((float)D);
  float sum[kPart][kPart] = {}, top[kPart], total[kPart] = {};
  for (int i = 0; i < kPart; ++i) top[i] = __int_as_float(0xff800000);

  for (long long k0 = 0; k0 <= first; k0 += kRows) {
    float score[kPart][kPart] = {};
    for (long long d0 = 0; d0 < D; d0 += kRows) {
      __syncthreads();
      if (k0 == 0 || chunks > 1) load_turned(query, of_head + first * stride + d0, T - first, D - d0, stride);
      load_turned(key, of_head + width + k0 * stride + d0, T - k0, D - d0, stride);
      __syncthreads();
      const int depth = (int)min(D - d0, (long long)kRows);
#pragma unroll 8
      for (int d = 0; d < depth; ++d) {
        const float4 q = *reinterpret_cast<const float4*>(&query[d][y * kPart]), k = *reinterpret_cast<const float4*>(&key[d][x * kPart]);
        const float left[kPart] = {q.x, q.y, q.z, q.w}, right[kPart] = {k.x, k.y, k.z, k.w};
        for (int i = 0; i < kPart; ++i)
          for (int j = 0; j < kPart; ++j) score[i][j] = fmaf(left[i], right[j], score[i][j]);
      }
    }
    for (int e = threadIdx.x; e < kRows * kRows; e += kAcross * kAcross) {
      const long long row = k0 + e / kRows, feature = first_feature + e % kRows;
      value[e / kRows][e % kRows] = row < T && feature < D ? of_head[2 * width + row * stride + feature] : 0;
    }
    for (int i = 0; i < kPart; ++i) {
      float highest = top[i];
      for (int j = 0; j < kPart; ++j) {
        const bool is_past = k0 + x * kPart + j <= first + y * kPart + i;
        score[i][j] = is_past ? score[i][j] * scale : __int_as_float(0xff800000);
        highest = fmaxf(highest, score[i][j]);
      }
      for (int lanes = kAcross / 2; lanes > 0; lanes /= 2) highest = fmaxf(highest, __shfl_xor_sync(kAll, highest, lanes));
      const float kept = top[i] == highest ? 1 : expf(top[i] - highest);
      top[i] = highest;
      total[i] *= kept;
      for (int j = 0; j < kPart; ++j) {
        score[i][j] = score[i][j] == __int_as_float(0xff800000) ? 0 : expf(score[i][j] - highest);
        total[i] += score[i][j];
        sum[i][j] *= kept;
      }
    }
    for (int j = 0; j < kPart; ++j)
      *reinterpret_cast<float4*>(&weight[x * kPart + j][y * kPart]) = make_float4(score[0][j], score[1][j], score[2][j], score[3][j]);
    __syncthreads();
    const int keys = (int)min(T - k0, (long long)kRows);
#pragma unroll 8
    for (int k = 0; k < keys; ++k) {
      const float4 w = *reinterpret_cast<const float4*>(&weight[k][y * kPart]), v = *reinterpret_cast<const float4*>(&value[k][x * kPart]);
      const float left[kPart] = {w.x, w.y, w.z, w.w}, right[kPart] = {v.x, v.y, v.z, v.w};
      for (int i = 0; i < kPart; ++i)
        for (int j = 0; j < kPart; ++j) sum[i][j] = fmaf(left[i], right[j], sum[i][j]);
    }
  }
  for (int i = 0; i < kPart; ++i) {
    float all = total[i];
    for (int lanes = kAcross / 2; lanes > 0; lanes /= 2) all += __shfl_xor_sync(kAll, all, lanes);
    const long long row = first + y * kPart + i;
    for (int j = 0; j < kPart; ++j) {
      const long long feature = first_feature + x * kPart + j;
      if (row < T && feature < D) mixed[(b * T + row) * width + h * D + feature] = sum[i][j] / all;
    }
  }
}

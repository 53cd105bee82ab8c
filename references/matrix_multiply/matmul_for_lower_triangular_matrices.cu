// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel multiply_lower grid [div_up(N, 64), div_up(N, 64)] block [256] (a, b, c, N)
*/
// A block computes a tile of 64 x 64. Four groups of 64 threads share the sums among them, a thread has 8 x 8 of the tile in registers;
// what comes next is fetched into registers while shared memory is worked on.
// Sums begin at a tile's first column and end at its last row, because all other terms are zero. The longest of them come first.
constexpr int kTile = 64, kDepth = 8, kEach = 8, kSlices = 4;
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

// The sums over `begin` <= k < `end` of what two matrices give, for all threads, in shared memory. A block has a tile of them, and each of
// its groups takes every kSlices-th piece of the sums.
template <class Left, class Right>
__device__ const float (*multiply(const Left& left, const Right& right, long long begin, long long end))[kPitch] {
  alignas(16) __shared__ float tiles[kSlices][2][2][kDepth][kPitch];
  const int slice = threadIdx.x / kGroup, thread = threadIdx.x % kGroup, x = thread % kSide, y = thread / kSide;
  float ahead_left[kFetched], ahead_right[kFetched], sum[kEach][kEach] = {};
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
  // Groups add what they have to the whole, one after the other.
  float(*whole)[kPitch] = reinterpret_cast<float(*)[kPitch]>(tiles);
  for (int turn = 0; turn < kSlices; ++turn) {
    __syncthreads();
    if (slice != turn) continue;
    for (int i = 0; i < kEach; ++i)
      for (int j = 0; j < kEach; j += 4) {
        float4* to = reinterpret_cast<float4*>(&whole[place_of(y, i)][place_of(x, j)]);
        const float4 before = turn == 0 ? make_float4(0, 0, 0, 0) : *to;
        *to = make_float4(before.x + sum[i][j], before.y + sum[i][j + 1], before.z + sum[i][j + 2], before.w + sum[i][j + 3]);
      }
  }
  __syncthreads();
  return whole;
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

// A triangle, whose rows are rows of the product: they end behind the diagonal.
struct Lower : AlongTerms {
  const float* from;
  long long terms;
  bool aligned;

  __device__ Lower(const float* p, long long first, long long size)
      : from(p + (first + row) * size), terms(first + row < size ? first + row + 1 : 0), aligned(size % 4 == 0) {}
  __device__ void fetch(long long k, float (&into)[kFetched]) const {
    k += term;
    if (aligned && k + kFetched <= terms) {
      load_fours(from + k, into);
    } else {
      for (int i = 0; i < kFetched; ++i) into[i] = k + i < terms ? from[k + i] : 0;
    }
  }
};

// A triangle, whose columns are columns of the product: they begin at the diagonal.
struct LowerOnRight : Columns {
  long long first;

  __device__ LowerOnRight(const float* p, long long first, long long size) : Columns(p, first, size, size), first(first + column) {}
  __device__ void fetch(long long k, float (&into)[kFetched]) const {
    Columns::fetch(k, into);
    for (int i = 0; i < kFetched; ++i)
      if (first + i / 4 * (kTile / (kFetched / 4)) + i % 4 > k + row) into[i] = 0;
  }
};

extern "C" __global__ void __launch_bounds__(kThreads, 2)
    multiply_lower(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, long long N) {
  const long long M = N, m0 = (gridDim.y - 1 - blockIdx.y) * (long long)kTile, n0 = blockIdx.x * (long long)kTile;
  const auto whole = multiply(Lower(a, m0, N), LowerOnRight(b, n0, N), n0, min(m0 + kTile, N));
  for (int e = threadIdx.x; e < kTile * kTile; e += kThreads) {
    const long long m = m0 + e / kTile, n = n0 + e % kTile;
    if (m < M && n < N) c[m * N + n] = m < n ? 0 : whole[e / kTile][e % kTile];
  }
}

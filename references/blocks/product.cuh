// SPDX-License-Identifier: Apache-2.0
// Products of float32 matrices on tensor cores, and implicit ones of convolutions. A block computes a tile of 64 x 64. Where
// there are hundreds of tiles, a block is one group of four warps, and a multiprocessor has four blocks; where tiles are few, a block is
// several groups that share the terms of the sums. A warp has 32 x 32 of the tile in registers. What comes next is fetched into registers
// while shared memory is worked on.
//
// Tensor cores multiply bfloat16. A float is the sum of three of them, its bits in eights, and of the nine products of two such sums the
// six largest are summed: what is left out is 2^-21 of the product at most, and some 2^-24 on average. Tensor cores cut off what they add,
// so they sum 16 terms at a time, and those sums are added as usual. An infinity has no such parts, nor have most numbers below 2^-109:
// where one is met, the tile is computed once more in float32.
#pragma once

constexpr int kTile = 64, kDepth = 16;
constexpr int kGroup = 128;                              // threads
constexpr int kGroups = 4, kThreads = kGroup * kGroups;  // of a block, unless a kernel says otherwise
constexpr int kFetched = kTile * kDepth / kGroup;  // of each matrix, by a thread at a time
constexpr int kPitch = kTile + 4;                  // what threads store side by side lies in different banks
constexpr int kParts = 3, kPartBytes = kTile * kDepth * 2;

// A matrix knows what a thread fetches of it: `fetch` gives what the sums meet from term k on, 0 outside. That is kFetched terms of a row,
// or four terms of two rows, or of one term two fours of columns; the second four lies half a tile further. Parts of a tile are
// [row][term] or, where columns lie side by side, [term][column]; what is read together lies in different banks.
struct ByRows {
  static constexpr bool kAcross = false;
  static constexpr int kBehind = 512;  // bytes from a part's first 16 rows to its next

  // Bytes to eight terms of a row.
  __device__ static int place(int row, int term) { return row * 32 + ((term / 8 ^ row / 4 % 2) * 16); }

  // What a lane of a warp shows ldmatrix of 16 rows: `rows_first` where the second matrix of eight has the next rows, not the next terms.
  template <bool rows_first>
  __device__ static int shown(int row, int lane) {
    const int second = lane / 8 % 2 * 8, third = lane / 16 * 8;
    return place(row + lane % 8 + (rows_first ? second : third), rows_first ? third : second);
  }
};

struct AlongTerms : ByRows {
  int row, term;  // in the tile

  __device__ AlongTerms() : row(threadIdx.x % kGroup / 2), term(threadIdx.x % 2 * kFetched) {}
  __device__ void put_part(char* part, const unsigned (&pairs)[kFetched / 2]) const {
    *reinterpret_cast<uint4*>(part + place(row, term)) = make_uint4(pairs[0], pairs[1], pairs[2], pairs[3]);
  }
  __device__ void put(float (*tile)[kPitch], const float (&from)[kFetched]) const {
    for (int i = 0; i < kFetched; ++i) tile[term + i][row] = from[i];
  }
};

struct RowPairs : ByRows {
  int row, term;  // in the tile

  __device__ RowPairs() : row(threadIdx.x % kGroup / 4), term(threadIdx.x % 4 * 4) {}
  __device__ void put_part(char* part, const unsigned (&pairs)[kFetched / 2]) const {
    for (int half = 0; half < 2; ++half)
      *reinterpret_cast<uint2*>(part + place(row + half * kTile / 2, term) + term % 8 * 2) =
          make_uint2(pairs[half * 2], pairs[half * 2 + 1]);
  }
  __device__ void put(float (*tile)[kPitch], const float (&from)[kFetched]) const {
    for (int i = 0; i < kFetched; ++i) tile[term + i % 4][row + i / 4 * kTile / 2] = from[i];
  }
};

struct AcrossTerms {
  static constexpr bool kAcross = true;
  static constexpr int kBehind = 32;
  int row, column;  // in the tile

  __device__ AcrossTerms() : row(threadIdx.x % kGroup / 8), column(threadIdx.x % 8 * 4) {}

  // Bytes to eight columns of a term.
  __device__ static int place(int column, int term) { return term * 128 + ((column / 8 ^ term % 8) * 16); }

  template <bool rows_first>
  __device__ static int shown(int column, int lane) {
    const int second = lane / 8 % 2 * 8, third = lane / 16 * 8;
    return place(column + (rows_first ? second : third), lane % 8 + (rows_first ? third : second));
  }

  __device__ void put_part(char* part, const unsigned (&pairs)[kFetched / 2]) const {
    for (int half = 0; half < 2; ++half)
      *reinterpret_cast<uint2*>(part + place(column + half * kTile / 2, row) + column % 8 * 2) =
          make_uint2(pairs[half * 2], pairs[half * 2 + 1]);
  }
  __device__ void put(float (*tile)[kPitch], const float (&from)[kFetched]) const {
    for (int i = 0; i < kFetched; ++i) tile[row][column + i / 4 * kTile / 2 + i % 4] = from[i];
  }
};

// `lost` has a bit among its low 16 where a number has more digits than its parts: below 2^-109 bfloat16's smallest numbers are too large.
template <class Matrix>
__device__ void put_parts(const Matrix& matrix, char* parts, float (&from)[kFetched], unsigned& lost) {
  for (int p = 0; p < kParts; ++p) {
    unsigned pairs[kFetched / 2];
    for (int i = 0; i < kFetched / 2; ++i) pairs[i] = __byte_perm(__float_as_uint(from[2 * i]), __float_as_uint(from[2 * i + 1]), 0x7632);
    matrix.put_part(parts + p * kPartBytes, pairs);
    if (p + 1 < kParts)
      for (float& v : from) v -= __uint_as_float(__float_as_uint(v) & 0xffff0000u);
  }
  for (const float v : from) lost |= __float_as_uint(v);
}

template <class Matrix>
__device__ void load_part(unsigned (&into)[4], unsigned address) {
  if constexpr (Matrix::kAcross)
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

__device__ void multiply_add(float (&sum)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// All threads of a group wait for each other.
__device__ void meet(int group) { asm volatile("bar.sync %0, %1;" ::"r"(group + 1), "n"(kGroup) : "memory"); }

// The same sums without tensor cores, of what may hold infinities: `groups` groups compute rows of the tile each, and `fetching` of them fetch.
template <int groups, int fetching, class Left, class Right>
__device__ void multiply_plainly(const Left& left, const Right& right, long long begin, long long end, float (*tiles)[2][kDepth][kPitch],
                                 float (*whole)[kPitch]) {
  constexpr int rows = kTile * 16 / (groups * kGroup);  // of a thread
  const int slice = threadIdx.x / kGroup, x = threadIdx.x % 16 * 4, y = threadIdx.x / 16 * rows;
  float fetched[kFetched], sum[rows][4] = {};
  for (long long first = begin; first < end; first += fetching * kDepth) {
    const long long k = first + slice * kDepth;
    if (slice < fetching && k < end) {
      left.fetch(k, fetched);
      left.put(tiles[slice][0], fetched);
      right.fetch(k, fetched);
      right.put(tiles[slice][1], fetched);
    }
    __syncthreads();
    for (int part = 0; part < fetching && first + part * kDepth < end; ++part)
      for (int d = 0; d < kDepth; ++d)
        for (int i = 0; i < rows; ++i)
          for (int j = 0; j < 4; ++j) sum[i][j] = fmaf(tiles[part][0][d][y + i], tiles[part][1][d][x + j], sum[i][j]);
    __syncthreads();
  }
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < 4; ++j) whole[y + i][x + j] = sum[i][j];
  __syncthreads();
}

// Adds a group's share of the terms from `begin` to `end` to `sum`, a warp's 32 x 32, where `groups` groups take 16 terms each in turns.
// False where a number is not the sum of its parts.
template <int groups, class Left, class Right>
__device__ bool add_terms(const Left& left, const Right& right, long long begin, long long end, char (*shared)[2][kParts][kPartBytes],
                          float (&sum)[2][4][4]) {
  const int slice = threadIdx.x / kGroup, lane = threadIdx.x % 32, warp = threadIdx.x % kGroup / 32;
  const unsigned parts = (unsigned)__cvta_generic_to_shared(shared[slice]);
  const unsigned at_left = Left::template shown<true>(warp / 2 * 32, lane), at_right = Right::template shown<false>(warp % 2 * 32, lane);
  float ahead_left[kFetched], ahead_right[kFetched];
  unsigned lost = 0;
  long long k = begin + slice * kDepth;
  left.fetch(k, ahead_left);
  right.fetch(k, ahead_right);
  for (; k < end; k += groups * kDepth) {
    meet(slice);
    put_parts(left, shared[slice][0][0], ahead_left, lost);
    put_parts(right, shared[slice][1][0], ahead_right, lost);
    meet(slice);
    if (k + groups * kDepth < end) {
      left.fetch(k + groups * kDepth, ahead_left);
      right.fetch(k + groups * kDepth, ahead_right);
    }
    unsigned b[kParts][2][4];
#pragma unroll
    for (int p = 0; p < kParts; ++p)
      for (int j = 0; j < 2; ++j) load_part<Right>(b[p][j], parts + (kParts + p) * kPartBytes + (at_right ^ j * Right::kBehind));
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      unsigned a[kParts][4];
      for (int p = 0; p < kParts; ++p) load_part<Left>(a[p], parts + p * kPartBytes + (at_left ^ i * Left::kBehind));
      float some[4][4] = {};
      // The smallest products first.
#pragma unroll
      for (int order = kParts - 1; order >= 0; --order)
        for (int p = 0; p <= order; ++p)
          for (int j = 0; j < 4; ++j) multiply_add(some[j], a[p], b[order - p][j / 2][j % 2 * 2], b[order - p][j / 2][j % 2 * 2 + 1]);
      for (int j = 0; j < 4; ++j)
        for (int e = 0; e < 4; ++e) sum[i][j][e] += some[j][e];
    }
  }
  return (lost & 0xffff) == 0;
}

__device__ bool is_finite(float2 pair) { return pair.x - pair.x == 0 && pair.y - pair.y == 0; }

// Calls use(row, column, pair) with each two neighbours in a row of a warp's sums, by their place in the tile.
template <class Use>
__device__ void for_pairs(const float (&sum)[2][4][4], Use use) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x % kGroup / 32;
#pragma unroll
  for (int i = 0; i < 2; ++i)
#pragma unroll
    for (int j = 0; j < 4; ++j)
#pragma unroll
      for (int half = 0; half < 2; ++half)
        use(warp / 2 * 32 + i * 16 + half * 8 + lane / 4, warp % 2 * 32 + j * 8 + lane % 4 * 2,
            make_float2(sum[i][j][half * 2], sum[i][j][half * 2 + 1]));
}

template <int groups>
struct Shared {
  static constexpr int kFetching = groups < 3 ? groups : 3;  // groups, where tensor cores are not used: shared memory holds no more
  struct Plain {
    float whole[kTile][kPitch], tiles[kFetching][2][kDepth][kPitch];
  };
  union {
    char parts[groups][2][kParts][kPartBytes];
    Plain plain;
  };
};

// The sums over `begin` <= k < `end` of what two matrices give, for all threads, in shared memory.
template <int groups = kGroups, class Left, class Right>
__device__ const float (*multiply(const Left& left, const Right& right, long long begin, long long end))[kPitch] {
  __shared__ __align__(128) Shared<groups> shared;
  float sum[2][4][4] = {};
  bool is_exact = add_terms<groups>(left, right, begin, end, shared.parts, sum);
  // Groups add what they have to the whole, one after the other.
  auto& whole = shared.plain.whole;
  for (int turn = 0; turn < groups; ++turn) {
    __syncthreads();
    if ((int)threadIdx.x / kGroup != turn) continue;
    for_pairs(sum, [&](int row, int column, float2 pair) {
      float2* to = reinterpret_cast<float2*>(&whole[row][column]);
      const float2 before = turn == 0 ? make_float2(0, 0) : *to, now = make_float2(before.x + pair.x, before.y + pair.y);
      is_exact &= is_finite(now);
      *to = now;
    });
  }
  if (__syncthreads_or(!is_exact))
    multiply_plainly<groups, Shared<groups>::kFetching>(left, right, begin, end, shared.plain.tiles, whole);
  return whole;
}

// The sums over `depth` terms by one group, for store(row, column, pair) with each two neighbours in a row: straight from registers.
template <class Left, class Right, class Store>
__device__ void multiply_alone(const Left& left, const Right& right, long long depth, Store store) {
  __shared__ __align__(128) Shared<1> shared;
  float sum[2][4][4] = {};
  bool is_exact = add_terms<1>(left, right, 0, depth, shared.parts, sum);
  for_pairs(sum, [&](int, int, float2 pair) { is_exact &= is_finite(pair); });
  if (!__syncthreads_or(!is_exact)) return for_pairs(sum, store);
  auto& whole = shared.plain.whole;
  multiply_plainly<1, 1>(left, right, 0, depth, shared.plain.tiles, whole);
  for (int e = threadIdx.x * 2; e < kTile * kTile; e += kGroup * 2)
    store(e / kTile, e % kTile, *reinterpret_cast<const float2*>(&whole[e / kTile][e % kTile]));
}

// Where multiply_alone() stores rows of a matrix, from `first_row` and `first_column` on.
struct StoreRows {
  float* to;
  long long columns;
  int rows_left, columns_left;

  __device__ StoreRows(float* p, long long first_row, long long rows, long long first_column, long long columns)
      : to(p + first_row * columns + first_column),
        columns(columns),
        rows_left((int)min(rows - first_row, (long long)kTile)),
        columns_left((int)min(columns - first_column, (long long)kTile)) {}
  __device__ void operator()(int row, int column, float2 pair) const {
    if (row >= rows_left || column >= columns_left) return;
    float* at = to + row * columns + column;
    if (columns % 2 == 0) {
      *reinterpret_cast<float2*>(at) = pair;
    } else {
      at[0] = pair.x;
      if (column + 1 < columns_left) at[1] = pair.y;
    }
  }
};

__device__ void load_four(const float* from, float* into) {
  const float4 v = *reinterpret_cast<const float4*>(from);
  into[0] = v.x;
  into[1] = v.y;
  into[2] = v.z;
  into[3] = v.w;
}

// Row-major, one row for each row or column of the product.
struct Rows : RowPairs {
  const float *from, *below;
  int left, left_below;  // terms from the thread's first one on; 0 of a row outside
  bool aligned;

  __device__ Rows(const float* p, long long first, long long rows, long long depth)
      : from(p + (first + row) * depth + term),
        below(from + kTile / 2 * depth),
        left(first + row < rows ? (int)depth - term : 0),
        left_below(first + row + kTile / 2 < rows ? (int)depth - term : 0),
        aligned(depth % 4 == 0) {}
  __device__ void fetch(long long k, float (&into)[kFetched]) const {
    if (aligned && k < left_below) {
      load_four(from + k, into);
      load_four(below + k, into + 4);
    } else {
      for (int i = 0; i < 4; ++i) into[i] = k + i < left ? from[k + i] : 0;
      for (int i = 0; i < 4; ++i) into[4 + i] = k + i < left_below ? below[k + i] : 0;
    }
  }
};

// Row-major, one row for each term of the sums.
struct Columns : AcrossTerms {
  const float* from;
  long long columns, depth;
  int left;  // columns that there are from the thread's first one on
  bool aligned;

  __device__ Columns(const float* p, long long first, long long columns, long long depth)
      : from(p + first + column),
        columns(columns),
        depth(depth),
        left((int)min(columns - first - column, (long long)kTile)),
        aligned(columns % 4 == 0) {}
  __device__ void fetch(long long k, float (&into)[kFetched]) const {
    k += row;
    const float* v = from + k * columns;
    if (aligned && k < depth && kTile / 2 < left) {
      load_four(v, into);
      load_four(v + kTile / 2, into + 4);
    } else {
      for (int i = 0; i < kFetched; ++i) {
        const int at = i / 4 * (kTile / 2) + i % 4;
        into[i] = k < depth && at < left ? v[at] : 0;
      }
    }
  }
};

// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel layer grid [div_up(N, 64), div_up(M, 64)] block [256] (x, w, b, y, M, K, N)
*/
// A block computes a tile of 64 x 64. Four groups of 64 threads share the sums among them, a thread has 8 x 8 of the tile in registers;
// what comes next is fetched into registers while shared memory is worked on.
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

__device__ float with_half(float z) { return z * 0.5f + z; }

extern "C" __global__ void __launch_bounds__(kThreads, 2)
    layer(const float* __restrict__ x, const float* __restrict__ w, const float* __restrict__ b, float* __restrict__ y, long long M,
          long long K, long long N) {
  const long long m0 = blockIdx.y * (long long)kTile, n0 = blockIdx.x * (long long)kTile;
  const auto whole = multiply(Rows(x, m0, M, K), Rows(w, n0, N, K), 0, K);
  for (int e = threadIdx.x; e < kTile * kTile; e += kThreads) {
    const long long m = m0 + e / kTile, n = n0 + e % kTile;
    if (m < M && n < N) y[m * N + n] = with_half(whole[e / kTile][e % kTile] + b[n]);
  }
}

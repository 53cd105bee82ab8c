// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel multiply_tiles grid [div_up(N, 64), div_up(M, 64)] block [256] (a, b, y, M, K, N)
*/
// A block computes a tile of 64 x 64. Four groups of 64 threads share the sums among them, a thread has 8 x 8 of the tile in registers;
// what comes next is fetched into registers while shared memory is worked on.
constexpr int kTile = 64, kDepth = 8, kEach = 8, kSlices = 4;
constexpr int kSide = kTile / kEach, kGroup = kSide * kSide, kThreads = kGroup * kSlices;
constexpr int kFetched = kTile * kDepth / kGroup;  // of each matrix, by a thread at a time
constexpr int kPitch = kTile + 4;                  // what threads store side by side lies in different banks

// The i-th of a thread's rows or columns in its tile: fours that lie apart, so that neighbours read different banks.
__device__ int place_of(int side, int i) { return i / 4 * (kTile / (kEach / 4)) + side * 4 + i % 4; }

// A matrix says `along_depth`, whether its numbers lie side by side along the sums, and at(row or column, depth), which is 0 outside.
template <class Matrix>
__device__ void fetch(const Matrix& matrix, long long first, long long k, int thread, float (&into)[kFetched]) {
  for (int i = 0; i < kFetched; ++i) {
    const int e = thread + i * kGroup;
    into[i] = Matrix::along_depth ? matrix.at(first + e / kDepth, k + e % kDepth) : matrix.at(first + e % kTile, k + e / kTile);
  }
}

template <class Matrix>
__device__ void put(float (*tile)[kPitch], int thread, const float (&from)[kFetched]) {
  for (int i = 0; i < kFetched; ++i) {
    const int e = thread + i * kGroup;
    if (Matrix::along_depth) tile[e % kDepth][e / kDepth] = from[i];
    else tile[e / kTile][e % kTile] = from[i];
  }
}

// The sums over `begin` <= k < `end` of left.at(m, k) right.at(n, k). A block has a tile of them, each of its groups takes every kSlices-th
// piece of the sums, and the first group ends up with the whole of them: element (i, j) is (m0 + place_of(y, i), n0 + place_of(x, j)).
template <class Left, class Right>
__device__ void multiply(const Left& left, const Right& right, long long m0, long long n0, long long begin, long long end,
                         float (&sum)[kEach][kEach]) {
  alignas(16) __shared__ float tiles[kSlices][2][2][kDepth][kPitch];
  const int slice = threadIdx.x / kGroup, thread = threadIdx.x % kGroup, x = thread % kSide, y = thread / kSide;
  float ahead_left[kFetched], ahead_right[kFetched];
  for (int i = 0; i < kEach; ++i)
    for (int j = 0; j < kEach; ++j) sum[i][j] = 0;
  long long k = begin + slice * kDepth;
  fetch(left, m0, k, thread, ahead_left);
  fetch(right, n0, k, thread, ahead_right);
  int side = 0;
  for (long long first = begin; first < end; first += kSlices * kDepth, side ^= 1) {
    put<Left>(tiles[slice][side][0], thread, ahead_left);
    put<Right>(tiles[slice][side][1], thread, ahead_right);
    __syncthreads();
    k += kSlices * kDepth;
    if (first + kSlices * kDepth < end) {
      fetch(left, m0, k, thread, ahead_left);
      fetch(right, n0, k, thread, ahead_right);
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
  // Half of the groups hand their sums over to the other half, until one has them all.
  float* handed = &tiles[0][0][0][0][0];
  for (int groups = kSlices / 2; groups > 0; groups /= 2) {
    __syncthreads();
    for (int e = 0; e < kEach * kEach; ++e)
      if (slice >= groups && slice < 2 * groups)
        handed[((slice - groups) * kEach * kEach + e) * kGroup + thread] = sum[e / kEach][e % kEach];
    __syncthreads();
    for (int e = 0; e < kEach * kEach; ++e)
      if (slice < groups) sum[e / kEach][e % kEach] += handed[(slice * kEach * kEach + e) * kGroup + thread];
  }
}

// Row-major, one row for each row or column of the product.
struct Rows {
  static constexpr bool along_depth = true;
  const float* p;
  long long rows, depth;
  __device__ float at(long long row, long long k) const { return row < rows && k < depth ? p[row * depth + k] : 0; }
};

extern "C" __global__ void __launch_bounds__(kThreads)
    multiply_tiles(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ y, long long M, long long K, long long N) {
  const long long m0 = blockIdx.y * (long long)kTile, n0 = blockIdx.x * (long long)kTile;
  float sum[kEach][kEach];
  multiply(Rows{a, M, K}, Rows{b, N, K}, m0, n0, 0, K, sum);
  if (threadIdx.x >= kGroup) return;
  for (int i = 0; i < kEach; ++i)
    for (int j = 0; j < kEach; ++j) {
      const long long m = m0 + place_of(threadIdx.x / kSide, i), n = n0 + place_of(threadIdx.x % kSide, j);
      if (m < M && n < N) y[m * N + n] = sum[i][j];
    }
}

// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel convolve grid [div_up(N * OL, 64), div_up(O, 64)] block [256] (x, w, y, N, int(C), int(L), int(O), int(OL))
*/
// The convolution as a product of matrices: a block computes 64 channels of 64 places. Four groups of
// 64 threads share the sums among them, a thread has 8 x 8 of the tile in registers; what comes next is fetched into registers while
// shared memory is worked on.
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

// [C, O, 3]: terms of a sum are the three taps of the first input channel, then those of the second.
struct Weights : AlongTerms {
  const float* w;
  int C, O;
  bool exists;

  __device__ Weights(const float* w, long long first, int C, int O) : w(w + (first + row) * 3), C(C), O(O), exists(first + row < O) {}
  __device__ void fetch(long long piece, float (&into)[kFetched]) const {
    for (int i = 0; i < kFetched; ++i) {
      const int k = (int)piece + term + i;
      into[i] = exists && k < C * 3 ? w[k / 3 * 3ll * O + k % 3] : 0;
    }
  }
};

// What an output place meets: of each channel x[place], x[place - 1], x[place - 2].
struct Window : AlongTerms {
  const float* channels;
  int place, C, L;
  bool exists;

  __device__ Window(const float* x, long long first, long long pixels, int C, int L, int OL) : C(C), L(L), exists(first + row < pixels) {
    const long long n = (first + row) / OL;
    place = (int)(first + row - n * OL);
    channels = x + n * C * L;
  }
  __device__ void fetch(long long piece, float (&into)[kFetched]) const {
    for (int i = 0; i < kFetched; ++i) {
      const int k = (int)piece + term + i, at = place - k % 3;
      into[i] = exists && k < C * 3 && at >= 0 && at < L ? channels[(long long)(k / 3) * L + at] : 0;
    }
  }
};

extern "C" __global__ void __launch_bounds__(kThreads, 2)
    convolve(const float* __restrict__ x, const float* __restrict__ w, float* __restrict__ y, long long N, int C, int L, int O, int OL) {
  const long long m0 = blockIdx.y * (long long)kTile, n0 = blockIdx.x * (long long)kTile, pixels = N * OL;
  const long long plane = OL, depth = C * 3ll;
  const auto whole = multiply(Weights(w, m0, C, O), Window(x, n0, pixels, C, L, OL), 0, depth);
  const int column = threadIdx.x % kTile;
  const long long pixel = n0 + column, n = pixel / plane;
  if (pixel >= pixels) return;
  y += n * O * plane + (pixel - n * plane);
  for (int row = threadIdx.x / kTile; row < kTile && m0 + row < O; row += kThreads / kTile) {
    const long long o = m0 + row;
    y[o * plane] = whole[row][column];
  }
}

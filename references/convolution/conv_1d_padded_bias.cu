// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel convolve grid [N * div_up(L, 64) * div_up(O, 64)] block [128] (x, w, b, y, int(C), int(L), O)
*/
#include "blocks/product.cuh"

// What places of an output row meet: terms of a sum are the three numbers of the first channel, then those of the next. Neighbouring places
// lie side by side.
struct Taps : AcrossTerms {
  const float* from;  // what the thread's first place meets at the first tap
  int place, depth, L;

  __device__ Taps(const float* x, long long first, int C, int L)
      : from(x + first + column - 1), place((int)first + column - 1), depth(C * 3), L(L) {}
  __device__ void fetch(long long piece, float (&into)[kFetched]) const {
    const int k = (int)piece + row, tap = k % 3;
    const float* v = from + (long long)(k / 3) * L + tap;
    for (int i = 0; i < kFetched; ++i) {
      const int further = i / 4 * (kTile / 2) + i % 4, at = place + tap + further;
      into[i] = k < depth && at >= 0 && at < L ? v[further] : 0;
    }
  }
};

// A sequence is a matrix with a row for each channel. Blocks side by side have the same places.
extern "C" __global__ void __launch_bounds__(kGroup, 4)
    convolve(const float* __restrict__ x, const float* __restrict__ w, const float* __restrict__ b, float* __restrict__ y, int C, int L,
             long long O) {
  const unsigned across = (L + kTile - 1) / kTile, tall = (O + kTile - 1) / kTile;
  const long long n = blockIdx.x / (across * tall);
  const long long m0 = blockIdx.x % tall * (long long)kTile, n0 = blockIdx.x / tall % across * (long long)kTile;
  const StoreRows store(y + n * O * L, m0, O, n0, L);
  multiply_alone(Rows(w, m0, O, C * 3), Taps(x + n * C * L, n0, C, L), C * 3, [&](int row, int column, float2 pair) {
    if (m0 + row >= O) return;
    const float shift = b[m0 + row];
    store(row, column, make_float2(pair.x + shift, pair.y + shift));
  });
}

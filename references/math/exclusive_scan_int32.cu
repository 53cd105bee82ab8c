// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel scan grid [N] block [256] (x, y, C)
*/
// Unsigned, so that sums may leave 32 bits.
#include "blocks/scan_row.cuh"

struct Sums {
  using State = unsigned;
  const unsigned* x;
  unsigned* y;

  static __device__ State none() { return 0; }
  static __device__ State join(State left, State right) { return left + right; }
  static __device__ State shifted(State state, int distance) { return __shfl_up_sync(kAll, state, distance); }

  __device__ void fetch(long long c, State (&v)[kEach], long long C) const { load_four<uint4>(x, c, C, none(), v); }
  __device__ void put(long long c, State lead, const State (&v)[kEach], long long C) const {
    const State sums[kEach] = {lead, lead + v[0], lead + v[1], lead + v[2]};
    store_four<uint4>(y, c, C, sums);
  }
};

extern "C" __global__ void scan(const unsigned* __restrict__ x, unsigned* __restrict__ y, long long C) {
  scan_row(Sums{x + blockIdx.x * C, y + blockIdx.x * C}, C);
}

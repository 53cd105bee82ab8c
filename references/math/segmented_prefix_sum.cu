// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel scan grid [N] block [256] (x, flags, y, C)
*/
#include "blocks/scan_row.cuh"

// The sum of a stretch from its last flag on, or of all of it where it has none.
struct Stretch {
  float sum;
  int flagged;
};

struct Sums {
  using State = Stretch;
  const float* x;
  const unsigned char* flags;
  float* y;

  static __device__ State none() { return {0, 0}; }
  static __device__ State join(State left, State right) {
    return {right.flagged ? right.sum : left.sum + right.sum, left.flagged | right.flagged};
  }
  static __device__ State shifted(State state, int distance) {
    return {__shfl_up_sync(kAll, state.sum, distance), __shfl_up_sync(kAll, state.flagged, distance)};
  }

  __device__ void fetch(long long c, State (&v)[kEach], long long C) const {
    float numbers[kEach];
    unsigned char starts[kEach];
    load_four<float4>(x, c, C, 0.0f, numbers);
    load_four<uchar4>(flags, c, C, (unsigned char)0, starts);
#pragma unroll
    for (int i = 0; i < kEach; ++i) v[i] = {numbers[i], starts[i]};
  }
  __device__ void put(long long c, State lead, const State (&v)[kEach], long long C) const {
    const float sums[kEach] = {join(lead, v[0]).sum, join(lead, v[1]).sum, join(lead, v[2]).sum, join(lead, v[3]).sum};
    store_four<float4>(y, c, C, sums);
  }
};

extern "C" __global__ void scan(const float* __restrict__ x, const unsigned char* __restrict__ flags, float* __restrict__ y, long long C) {
  scan_row(Sums{x + blockIdx.x * C, flags + blockIdx.x * C, y + blockIdx.x * C}, C);
}

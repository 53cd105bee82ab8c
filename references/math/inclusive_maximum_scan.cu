// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel scan grid [N] block [256] (x, y, C)
*/
#include "blocks/scan_row.cuh"

struct Maxima {
  using State = float;
  const float* x;
  float* y;

  static __device__ State none() { return __int_as_float(0xff800000); }
  // NaN is the larger of any two.
  static __device__ State join(State left, State right) { return right > left || right != right ? right : left; }
  static __device__ State shifted(State state, int distance) { return __shfl_up_sync(kAll, state, distance); }

  __device__ void fetch(long long c, State (&v)[kEach], long long C) const { load_four<float4>(x, c, C, none(), v); }
  __device__ void put(long long c, State lead, const State (&v)[kEach], long long C) const {
    const State maxima[kEach] = {join(lead, v[0]), join(lead, v[1]), join(lead, v[2]), join(lead, v[3])};
    store_four<float4>(y, c, C, maxima);
  }
};

extern "C" __global__ void scan(const float* __restrict__ x, float* __restrict__ y, long long C) {
  scan_row(Maxima{x + blockIdx.x * C, y + blockIdx.x * C}, C);
}

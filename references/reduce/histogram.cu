// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch total: uint[B] zero
   kernel count   grid [396] block [512] shared [4 * max(1, B * min(32, 16384 / B))]
                 (x, low, high, total, N, int(B), int(min(32, 16384 / B)))
   kernel convert grid [div_up(B, 256)] block [256] (total, y, int(B))
*/
// Where there are more bins than a block's table has room for, all blocks count in global memory.
#include "blocks/counts.cuh"

struct Bins {
  float low, high, scale, last;

  __device__ Bins(float low, float high, int B) : low(low), high(high), scale((float)B / (high - low)), last((float)(B - 1)) {}
  // Calls add with the bin of a number that has one.
  template <class Add>
  __device__ void put(float x, Add add) const {
    if (x >= low && x <= high) add((int)fminf((x - low) * scale, last));
  }
};

template <class Add>
__device__ void put_all(const float* __restrict__ x, int64_t N, const Bins& bins, Add add) {
  each_unit(reinterpret_cast<const float4*>(x), N / 4, [&](float4 v) {
    bins.put(v.x, add);
    bins.put(v.y, add);
    bins.put(v.z, add);
    bins.put(v.w, add);
  });
  if (blockIdx.x == 0 && threadIdx.x < N % 4) bins.put(x[N / 4 * 4 + threadIdx.x], add);
}

extern "C" __global__ void __launch_bounds__(kThreads, kBlocksEach)
    count(const float* __restrict__ x, const float* __restrict__ low, const float* __restrict__ high, unsigned* total, int64_t N, int B,
          int copies) {
  extern __shared__ unsigned table[];
  const Bins bins(*low, *high, B);
  if (copies == 0) return put_all(x, N, bins, [&](int bin) { atomicAdd(total + bin, 1u); });
  Counts counts(table, B, copies);
  put_all(x, N, bins, [&](int bin) { counts.add(bin); });
  counts.flush(total);
}

extern "C" __global__ void convert(const unsigned* __restrict__ total, float* __restrict__ y, int B) {
  const int bin = blockIdx.x * 256 + threadIdx.x;
  if (bin < B) y[bin] = (float)total[bin];
}

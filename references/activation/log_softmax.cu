// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch part: float[2 * N * max(1, min(C / 2048, 1024 / N))]
   kernel log_softmax grid [N, max(1, min(C / 2048, 1024 / N))] block [256] (x, y, part, C)
   kernel store_pieces grid [max(1, N * min(max(1, min(C / 2048, 1024 / N)) - 1, 1)), max(1, min(C / 2048, 1024 / N))] block [256] (x, y, part, C)
*/
#include "blocks/exponentials.cuh"

struct LogShare {
  float base, logarithm;

  __device__ explicit LogShare(Exponentials found) : base(found.base), logarithm(logf(found.sum)) {}
  __device__ float of(float number) const { return (number - base) - logarithm; }
};

extern "C" __global__ void __launch_bounds__(kThreads)
    log_softmax(const float* __restrict__ x, float* __restrict__ y, float* __restrict__ part, long long C) {
  scan_rows<LogShare>(x, y, part, C);
}

extern "C" __global__ void __launch_bounds__(kThreads)
    store_pieces(const float* __restrict__ x, float* __restrict__ y, const float* __restrict__ part, long long C) {
  store_rows<LogShare>(x, y, part, C);
}

// SPDX-License-Identifier: Apache-2.0
// Counts of what belongs to one of some bins. A block counts in shared memory, where bins have a count for each lane of a warp, as long as
// there is room for that: equal neighbours do not wait for each other, and lanes use different banks.
#pragma once

#include <stdint.h>

constexpr int kThreads = 512, kBlocksEach = 3;

class Counts {
 public:
  __device__ Counts(unsigned* counts, int bins, int copies)
      : counts_(counts), bins_(bins), copies_(copies), own_(threadIdx.x % 32 % copies) {
    for (int i = threadIdx.x; i < bins * copies; i += kThreads) counts[i] = 0;
    __syncthreads();
  }
  __device__ void add(int bin) { atomicAdd(counts_ + bin * copies_ + own_, 1u); }
  // A warp has a bin at a time.
  __device__ void flush(unsigned* total) const {
    __syncthreads();
    const int lane = threadIdx.x % 32;
    for (int bin = threadIdx.x / 32; bin < bins_; bin += kThreads / 32) {
      unsigned count = lane < copies_ ? counts_[bin * copies_ + lane] : 0;
      count = __reduce_add_sync(0xffffffff, count);
      if (lane == 0 && count > 0) atomicAdd(total + bin, count);
    }
  }

 private:
  unsigned* counts_;
  int bins_, copies_, own_;
};

// Calls add with each unit of x; a thread has two on their way.
template <class Unit, class Add>
__device__ void each_unit(const Unit* __restrict__ x, int64_t units, Add add) {
  const int64_t step = (int64_t)gridDim.x * kThreads;
  int64_t u = blockIdx.x * (int64_t)kThreads + threadIdx.x;
  for (; u + step < units; u += 2 * step) {
    const Unit first = x[u], second = x[u + step];
    add(first);
    add(second);
  }
  if (u < units) add(x[u]);
}

// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel count grid [div_up(E, 256)] block [256] (experts, counts, T, E)
*/
// A count is where an expert's tokens end. A warp searches together for the ends of its first and last expert, and between these each lane
// for its own: not all tokens need to be read.
constexpr unsigned kAll = 0xffffffff;

// How many tokens go to experts up to this one. All before `low` do, and none from `high` on; 32 places in between are looked at at once.
__device__ long long end_for_warp(const int* __restrict__ experts, long long low, long long high, long long expert) {
  while (low < high) {
    const long long step = (high - low + 31) / 32, place = min(low + (threadIdx.x % 32 + 1) * step, high) - 1;
    const int below = __popc(__ballot_sync(kAll, experts[place] <= expert));
    if (below == 32) return high;
    high = min(low + (below + 1) * step, high) - 1;
    low += below * step;
  }
  return low;
}

extern "C" __global__ void count(const int* __restrict__ experts, int* __restrict__ counts, long long T, long long E) {
  const long long expert = blockIdx.x * 256ll + threadIdx.x, first = expert - threadIdx.x % 32;
  if (first >= E) return;
  long long low = end_for_warp(experts, 0, T, first), high = end_for_warp(experts, low, T, first + 31);
  if (expert >= E) return;
  while (low < high) {
    const long long middle = (low + high) / 2;
    if (experts[middle] <= expert) low = middle + 1;
    else high = middle;
  }
  counts[expert] = (int)low;
}

// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel average grid [N * C, div_up(OL, 1024)] block [256] (x, y, L, OL)
*/
// A warp has 128 windows, whose numbers its lanes read once. Sums of two, of four, of eight come about by adding what a lane further on
// has; no sum runs along the row, where its rounding would stay with it.
constexpr int kSteps = 4, kTap = 8;

extern "C" __global__ void average(const float* __restrict__ x, float* __restrict__ y, long long L, long long OL) {
  const int lane = threadIdx.x % 32;
  const long long first = blockIdx.y * 1024ll + threadIdx.x / 32 * (32 * kSteps);
  if (first >= OL) return;
  const float* in = x + blockIdx.x * L - kTap / 2;
  float* out = y + blockIdx.x * OL;
  float sum[kSteps + 1];
#pragma unroll
  for (int i = 0; i <= kSteps; ++i) {
    const long long at = first + i * 32 + lane;
    sum[i] = at >= kTap / 2 && at < L + kTap / 2 ? in[at] : 0;
  }
#pragma unroll
  for (int distance = 1; distance < kTap; distance *= 2)
#pragma unroll
    for (int i = 0; i <= kSteps; ++i) {
      // The last 32 are only there to be added to others, from the left; what their right end adds is not used.
      const float ahead = lane < distance && i < kSteps ? sum[i + 1] : sum[i];
      sum[i] += __shfl_sync(0xffffffff, ahead, lane + distance);
    }
#pragma unroll
  for (int i = 0; i < kSteps; ++i) {
    const long long at = first + i * 32 + lane;
    if (at < OL) out[at] = sum[i] / kTap;
  }
}

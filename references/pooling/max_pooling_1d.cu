// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel pool grid [N * C, div_up(OL, 1024)] block [256] (x, y, L, OL)
*/
// A warp has 128 windows, whose numbers its lanes read once. The largest of two, of four, of eight come about from what a lane further on
// has. NaN is larger than any number.
constexpr int kSteps = 4, kTap = 8;

__device__ float larger(float a, float b) { return a > b || a != a ? a : b; }

extern "C" __global__ void pool(const float* __restrict__ x, float* __restrict__ y, long long L, long long OL) {
  const int lane = threadIdx.x % 32;
  const long long first = blockIdx.y * 1024ll + threadIdx.x / 32 * (32 * kSteps);
  if (first >= OL) return;
  const float* in = x + blockIdx.x * L - kTap / 2;
  float* out = y + blockIdx.x * OL;
  float top[kSteps + 1];
#pragma unroll
  for (int i = 0; i <= kSteps; ++i) {
    const long long at = first + i * 32 + lane;
    top[i] = at >= kTap / 2 && at < L + kTap / 2 ? in[at] : __int_as_float(0xff800000);
  }
#pragma unroll
  for (int distance = 1; distance < kTap; distance *= 2)
#pragma unroll
    for (int i = 0; i <= kSteps; ++i) {
      // The last 32 are only there for others, to their left; what their right end takes is not used.
      const float ahead = lane < distance && i < kSteps ? top[i + 1] : top[i];
      top[i] = larger(top[i], __shfl_sync(0xffffffff, ahead, lane + distance));
    }
#pragma unroll
  for (int i = 0; i < kSteps; ++i) {
    const long long at = first + i * 32 + lane;
    if (at < OL) out[at] = top[i];
  }
}

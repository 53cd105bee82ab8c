// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel iterate grid [div_up(W, 512), div_up(H, 8)] block [256] (re, im, count, int(W), int(H))
*/
// A warp has up to 512 points of a row. A lane whose point has escaped takes the next one, so that none waits for the slowest. Points of
// the two largest parts of the set, whose borders are known, need no steps: no point near these borders escapes within 100.
#include <stdint.h>

constexpr int kWarps = 8, kPoints = 512, kMost = 100, kAtATime = 5;
constexpr unsigned kAll = 0xffffffff;
static_assert(kMost % kAtATime == 0);

__device__ bool is_known_inside(float a, float b) {
  const float bb = b * b, left = a - 0.25f, q = left * left + bb;
  return q * (q + left) < 0.25f * bb || (a + 1) * (a + 1) + bb < 0.0625f;
}

extern "C" __global__ void __launch_bounds__(kWarps * 32)
    iterate(const float* __restrict__ re, const float* __restrict__ im, int32_t* __restrict__ count, int W, int H) {
  __shared__ uint8_t counts[kWarps][kPoints];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, h = blockIdx.y * kWarps + warp, first = blockIdx.x * kPoints;
  if (h >= H) return;
  const int points = min(kPoints, W - first);
  const unsigned before = (1u << lane) - 1;
  const float b = im[h];
  float a = 0, x = 0, y = 0;
  int own = -1, steps = 0, next = 0;
  while (true) {
    const unsigned idle = __ballot_sync(kAll, own < 0);
    if (next >= points && idle == kAll) break;
    const int place = next + __popc(idle & before);
    next += __popc(idle);
    if (own < 0 && place < points) {
      own = place;
      a = re[first + place];
      x = y = 0;
      steps = is_known_inside(a, b) ? kMost : 0;
    }
    // What is outside does not come back, and is NaN in the end.
    bool stays = false;
    if (own >= 0 && steps < kMost)
      for (int step = 0; step < kAtATime; ++step) {
        const float xx = x * x, yy = y * y;
        stays = xx + yy <= 4;
        steps += stays;
        y = 2 * x * y + b;
        x = xx - yy + a;
      }
    if (own >= 0 && (!stays || steps == kMost)) {
      counts[warp][own] = (uint8_t)steps;
      own = -1;
    }
  }
  __syncwarp();
  for (int p = lane; p < points; p += 32) count[(int64_t)h * W + first + p] = counts[warp][p];
}

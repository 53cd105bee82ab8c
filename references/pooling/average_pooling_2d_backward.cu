// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel backward grid [div_up(N * C * div_up(H, 2) * div_up(W, 4), 256)] block [256] (dy, dx, long(N * C), int(H), int(W))
*/
// A thread has two rows of four columns, an even row first. An even row lies in one row of windows, an odd one in two, of which the second
// may be beyond the image; of columns the same holds.
#include "blocks/quotient.cuh"

constexpr float kShare = 1.0f / 9;

// From the sums over rows of windows of three neighbouring columns of these.
__device__ float4 spread(float a, float b, float c) { return make_float4(a * kShare, (a + b) * kShare, b * kShare, (b + c) * kShare); }

__device__ void store(float* to, float4 v, int width) {
  if (width > 0) to[0] = v.x;
  if (width > 1) to[1] = v.y;
  if (width > 2) to[2] = v.z;
  if (width > 3) to[3] = v.w;
}

extern "C" __global__ void __launch_bounds__(256)
    backward(const float* __restrict__ dy, float* __restrict__ dx, long long planes, int H, int W) {
  const int OH = (H + 1) / 2, OW = (W + 1) / 2, units = (W + 3) / 4;
  const long long i = blockIdx.x * 256ll + threadIdx.x, line = quotient(i, units), plane = quotient(line, OH);
  if (plane >= planes) return;
  const int row = (int)(line - plane * OH), column = (int)(i - line * units) * 4;
  const float* upper = dy + line * OW + column / 2;
  const bool second = column / 2 + 1 < OW, third = column / 2 + 2 < OW, lower = row + 1 < OH;
  const float a = upper[0], b = second ? upper[1] : 0, c = third ? upper[2] : 0;
  const float d = lower ? upper[OW] : 0, e = lower && second ? upper[OW + 1] : 0, f = lower && third ? upper[OW + 2] : 0;
  const float4 even = spread(a, b, c), odd = spread(a + d, b + e, c + f);
  const bool both = 2 * row + 1 < H;
  float* to = dx + (plane * H + 2 * row) * W + column;
  if (W % 4 == 0) {
    *reinterpret_cast<float4*>(to) = even;
    if (both) *reinterpret_cast<float4*>(to + W) = odd;
  } else {
    store(to, even, W - column);
    if (both) store(to + W, odd, W - column);
  }
}

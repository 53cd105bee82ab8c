// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel convolve grid [div_up(N * C * div_up(H, 8) * div_up(W, 4), 256)] block [256]
                   (x, w, b, y, long(N * C * div_up(H, 8) * div_up(W, 4)), C, int(H), int(W))
*/
// A thread goes down four columns for up to eight outputs each. Each row of six numbers that it reads serves three of them; the middle four
// are one load where rows are a multiple of that.
#include "blocks/quotient.cuh"

constexpr int kRows = 8, kEach = 4;

struct Line {
  float v[kEach + 2];
};

// Zeros lie outside, above and below, too.
template <bool kIsAligned>
__device__ Line read(const float* __restrict__ plane, int h, int column, int H, int W) {
  Line line = {};
  if (h < 0 || h >= H) return line;
  const float* from = plane + (long long)h * W + column;
  if (column > 0) line.v[0] = from[-1];
  if (kIsAligned) {
    const float4 four = *reinterpret_cast<const float4*>(from);
    line.v[1] = four.x;
    line.v[2] = four.y;
    line.v[3] = four.z;
    line.v[4] = four.w;
    if (column + kEach < W) line.v[5] = from[kEach];
  } else {
#pragma unroll
    for (int i = 0; i <= kEach; ++i)
      if (column + i < W) line.v[i + 1] = from[i];
  }
  return line;
}

template <bool kIsAligned>
__device__ void go_down(const float* __restrict__ x, const float* __restrict__ w, float shift, float* __restrict__ y, int first, int column,
                        int H, int W) {
  float tap[9];
#pragma unroll
  for (int i = 0; i < 9; ++i) tap[i] = w[i];
  Line above = read<kIsAligned>(x, first - 1, column, H, W), here = read<kIsAligned>(x, first, column, H, W);
#pragma unroll
  for (int row = 0; row < kRows; ++row) {
    const int h = first + row;
    if (h >= H) return;
    const Line below = read<kIsAligned>(x, h + 1, column, H, W);
    float sum[kEach];
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
      sum[i] = shift;
      for (int j = 0; j < 3; ++j)
        sum[i] = fmaf(above.v[i + j], tap[j], fmaf(here.v[i + j], tap[3 + j], fmaf(below.v[i + j], tap[6 + j], sum[i])));
    }
    float* to = y + (long long)h * W + column;
    if (kIsAligned) {
      *reinterpret_cast<float4*>(to) = make_float4(sum[0], sum[1], sum[2], sum[3]);
    } else {
#pragma unroll
      for (int i = 0; i < kEach; ++i)
        if (column + i < W) to[i] = sum[i];
    }
    above = here;
    here = below;
  }
}

extern "C" __global__ void __launch_bounds__(256)
    convolve(const float* __restrict__ x, const float* __restrict__ w, const float* __restrict__ b, float* __restrict__ y, long long threads,
             long long C, int H, int W) {
  const long long thread = blockIdx.x * 256ll + threadIdx.x;
  if (thread >= threads) return;
  const int units = (W + kEach - 1) / kEach, strips = (H + kRows - 1) / kRows;
  const long long strip = quotient(thread, units), plane = quotient(strip, strips), c = plane - quotient(plane, C) * C;
  const int column = (int)(thread - strip * units) * kEach, first = (int)(strip - plane * strips) * kRows;
  x += plane * H * W;
  y += plane * H * W;
  if (W % kEach == 0) go_down<true>(x, w + c * 9, b[c], y, first, column, H, W);
  else go_down<false>(x, w + c * 9, b[c], y, first, column, H, W);
}

// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch narrow: float[N * C * H * OW]
   kernel along_rows    grid [div_up(N * C * H, 32), div_up(OW, 64)]    block [64, 4] (x, narrow, long(N * C * H), int(W), int(OW))
   kernel along_columns grid [div_up(N * C, 8), div_up(OH * OW, 256)]   block [256]   (narrow, y, long(N * C), int(H), int(OH), int(OW))
*/
// Rows are resized first, then columns of what that gives. A thread has one place in eight rows, or in eight planes: what a neighbour weighs
// is worked out once for them. Places are double: far from the origin float has few digits left for a fraction.
constexpr int kEach = 8;

// Pixel i of m, from the n that there were, which lie `pitch` apart: of `lines` lines, `in_step` apart, and `out_step` where they go to.
__device__ void resize(const float* __restrict__ in, float* __restrict__ out, int lines, long long in_step, long long out_step, int i, int n,
                       int m, int pitch) {
  const double scale = n > m ? (double)n / m : 1, at = (i + 0.5) * n / m - 0.5;
  const int first = max((int)ceil(at - scale), 0), last = min((int)floor(at + scale), n - 1);
  const float slope = (float)(1 / scale);
  float sum[kEach] = {}, weights = 0;
  for (int k = first; k <= last; ++k) {
    const float weight = 1 - fabsf((float)(k - at)) * slope;
    if (weight <= 0) continue;
    weights += weight;
    const float* tap = in + (long long)k * pitch;
#pragma unroll
    for (int line = 0; line < kEach; ++line)
      if (line < lines) sum[line] += weight * tap[line * in_step];
  }
#pragma unroll
  for (int line = 0; line < kEach; ++line)
    if (line < lines) out[line * out_step] = sum[line] / weights;
}

extern "C" __global__ void along_rows(const float* __restrict__ x, float* __restrict__ narrow, long long rows, int W, int OW) {
  const long long row = (blockIdx.x * 4ll + threadIdx.y) * kEach;
  const int i = blockIdx.y * 64 + threadIdx.x;
  if (row >= rows || i >= OW) return;
  resize(x + row * W, narrow + row * OW + i, (int)min((long long)kEach, rows - row), W, OW, i, W, OW, 1);
}

extern "C" __global__ void along_columns(const float* __restrict__ narrow, float* __restrict__ y, long long planes, int H, int OH, int OW) {
  const long long plane = blockIdx.x * (long long)kEach;
  const int pixel = blockIdx.y * 256 + threadIdx.x, row = pixel / OW, column = pixel - row * OW;
  if (row >= OH) return;
  resize(narrow + plane * H * OW + column, y + plane * OH * OW + pixel, (int)min((long long)kEach, planes - plane), (long long)H * OW,
         (long long)OH * OW, row, H, OH, OW);
}

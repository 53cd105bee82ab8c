// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel backward grid [N * C, div_up(div_up(W, 2), 32), div_up(div_up(H, 2), 8)] block [32, 8] (x, dy, dx, int(H), int(W))
*/
// A block has 8 x 32 windows and those behind them in both directions. It notes where each has its largest element; then a thread adds up
// what each of four elements gets from the windows it lies in.
constexpr int kWidth = 32, kHeight = 8, kThreads = kWidth * kHeight;

// Three times the row within the window, and the column. The first of equal elements counts, also where all are -infinity.
__device__ int place_of_largest(const float* __restrict__ plane, int row, int column, int H, int W) {
  int place = 3 * (row == 0) + (column == 0);
  float largest = __int_as_float(0xff800000);
#pragma unroll
  for (int i = 0; i < 3; ++i)
#pragma unroll
    for (int j = 0; j < 3; ++j) {
      const int h = 2 * row - 1 + i, w = 2 * column - 1 + j;
      const float v = h >= 0 && h < H && w >= 0 && w < W ? plane[(long long)h * W + w] : __int_as_float(0xff800000);
      if (v > largest) {
        largest = v;
        place = 3 * i + j;
      }
    }
  return place;
}

extern "C" __global__ void __launch_bounds__(kThreads)
    backward(const float* __restrict__ x, const float* __restrict__ dy, float* __restrict__ dx, int H, int W) {
  __shared__ int places[kHeight + 1][kWidth + 1];
  __shared__ float gradients[kHeight + 1][kWidth + 1];
  const int OH = (H + 1) / 2, OW = (W + 1) / 2, first_row = blockIdx.z * kHeight, first_column = blockIdx.y * kWidth;
  const long long plane = blockIdx.x;
  x += plane * H * W;
  dy += plane * OH * OW;
  dx += plane * H * W;
  for (int k = threadIdx.y * kWidth + threadIdx.x; k < (kHeight + 1) * (kWidth + 1); k += kThreads) {
    const int i = k / (kWidth + 1), j = k % (kWidth + 1), row = first_row + i, column = first_column + j;
    const bool inside = row < OH && column < OW;
    places[i][j] = inside ? place_of_largest(x, row, column, H, W) : -1;
    gradients[i][j] = inside ? dy[(long long)row * OW + column] : 0;
  }
  __syncthreads();
  const int i = threadIdx.y, j = threadIdx.x, h = 2 * (first_row + i), w = 2 * (first_column + j);
  if (h >= H || w >= W) return;
  const auto from = [&](int below, int behind, int place) {
    return places[i + below][j + behind] == place ? gradients[i + below][j + behind] : 0;
  };
  const float a = 0 + from(0, 0, 4), b = 0 + from(0, 0, 5) + from(0, 1, 3);
  const float c = 0 + from(0, 0, 7) + from(1, 0, 1), d = 0 + from(0, 0, 8) + from(0, 1, 6) + from(1, 0, 2) + from(1, 1, 0);
  float* to = dx + (long long)h * W + w;
  const bool both = h + 1 < H;
  if (W % 2 == 0) {
    *reinterpret_cast<float2*>(to) = make_float2(a, b);
    if (both) *reinterpret_cast<float2*>(to + W) = make_float2(c, d);
    return;
  }
  to[0] = a;
  if (both) to[W] = c;
  if (w + 1 >= W) return;
  to[1] = b;
  if (both) to[W + 1] = d;
}

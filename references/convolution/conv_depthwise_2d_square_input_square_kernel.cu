// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel convolve grid [N * 64, div_up(OW, 128), div_up(OH, 16)] block [128] (x, w, y, int(H), int(W), int(OH), int(OW))
*/
// A thread goes down a column for up to sixteen outputs. Each row of three numbers that it reads serves three of them.
constexpr int kRows = 16;

extern "C" __global__ void __launch_bounds__(128)
    convolve(const float* __restrict__ x, const float* __restrict__ w, float* __restrict__ y, int H, int W, int OH, int OW) {
  const int column = blockIdx.y * 128 + threadIdx.x, first = blockIdx.z * kRows;
  if (column >= OW) return;
  const long long plane = blockIdx.x;
  const float* in = x + (plane * H + first) * W + column;
  float* out = y + (plane * OH + first) * OW + column;
  float tap[3][3];
#pragma unroll
  for (int i = 0; i < 9; ++i) tap[i / 3][i % 3] = w[plane % 64 * 9 + i];
  const auto row_sum = [&](const float* v, int row) { return v[0] * tap[row][0] + v[1] * tap[row][1] + v[2] * tap[row][2]; };
  float above[3] = {in[0], in[1], in[2]}, here[3] = {in[W], in[W + 1], in[W + 2]};
  const int count = min(kRows, OH - first);
#pragma unroll 4
  for (int row = 0; row < count; ++row) {
    const float* next = in + (row + 2ll) * W;
    const float below[3] = {next[0], next[1], next[2]};
    out[(long long)row * OW] = row_sum(above, 0) + row_sum(here, 1) + row_sum(below, 2);
#pragma unroll
    for (int i = 0; i < 3; ++i) {
      above[i] = here[i];
      here[i] = below[i];
    }
  }
}

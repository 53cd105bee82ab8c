// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel pool grid [N * C, div_up(OW, 128), div_up(OH, 16)] block [128] (x, y, int(H), int(W), int(OH), int(OW))
*/
// A thread goes down a column for up to sixteen outputs. The largest of each row of four numbers serves four of them. Where a window sticks
// out, a number inside of it is taken twice. NaN is larger than any number.
constexpr int kRows = 16;

__device__ float larger(float a, float b) { return a > b || a != a ? a : b; }

extern "C" __global__ void __launch_bounds__(128) pool(const float* __restrict__ x, float* __restrict__ y, int H, int W, int OH, int OW) {
  const int column = blockIdx.y * 128 + threadIdx.x, first = blockIdx.z * kRows;
  if (column >= OW) return;
  const long long plane = blockIdx.x;
  const float* in = x + plane * H * W;
  float* out = y + (plane * OH + first) * OW + column;
  const int left = max(column - 1, 0), right = min(column + 2, W - 1);
  const auto top_of_row = [&](int row) {
    const float* v = in + (long long)min(max(row, 0), H - 1) * W;
    return larger(larger(v[left], v[column]), larger(v[column + 1], v[right]));
  };
  float a = top_of_row(first - 1), b = top_of_row(first), c = top_of_row(first + 1);
  const int count = min(kRows, OH - first);
#pragma unroll 4
  for (int row = 0; row < count; ++row) {
    const float d = top_of_row(first + row + 2);
    out[(long long)row * OW] = larger(larger(a, b), larger(c, d));
    a = b;
    b = c;
    c = d;
  }
}

// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel pool grid [N * C * div_up(OD, 8), div_up(OW, 32), div_up(OH, 8)] block [32, 8]
               (x, y, int(D), int(H), int(W), int(OD), int(OH), int(OW))
*/
// A thread goes through up to eight slices of outputs. Windows in line share a slice, whose largest of nine numbers serves both. What
// sticks out is left out. NaN is larger than any number.
constexpr int kSlices = 8;

__device__ float larger(float a, float b) { return a > b || a != a ? a : b; }

extern "C" __global__ void pool(const float* __restrict__ x, float* __restrict__ y, int D, int H, int W, int OD, int OH, int OW) {
  const int column = blockIdx.y * 32 + threadIdx.x, row = blockIdx.z * 8 + threadIdx.y;
  if (column >= OW || row >= OH) return;
  const int pieces = (OD + kSlices - 1) / kSlices, first = blockIdx.x % pieces * kSlices, last = min(first + kSlices, OD);
  const long long volume = blockIdx.x / pieces;
  const float* in = x + volume * D * H * W;
  float* out = y + ((volume * OD + first) * OH + row) * OW + column;
  const int top = max(2 * row - 1, 0), bottom = min(2 * row + 2, H), left = max(2 * column - 1, 0), right = min(2 * column + 2, W);
  const auto of_slice = [&](int d) {
    float best = __int_as_float(0xff800000);
    if (d < 0 || d >= D) return best;
    for (int h = top; h < bottom; ++h)
      for (int w = left; w < right; ++w) best = larger(in[((long long)d * H + h) * W + w], best);
    return best;
  };
  float before = of_slice(2 * first - 1);
  for (int d = first; d < last; ++d, out += (long long)OH * OW) {
    const float middle = of_slice(2 * d), behind = of_slice(2 * d + 1);
    *out = larger(larger(before, middle), behind);
    before = behind;
  }
}

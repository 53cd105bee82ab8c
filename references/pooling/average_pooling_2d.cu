// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel average grid [N * C * OH, div_up(OW, 64)] block [128] (x, y, int(H), int(W), int(OH), int(OW))
*/
// A block has up to 64 windows side by side: threads add up eleven rows, then eleven of these sums each.
constexpr int kWindow = 11, kWindows = 64;

extern "C" __global__ void average(const float* __restrict__ x, float* __restrict__ y, int H, int W, int OH, int OW) {
  __shared__ float column_sums[kWindows * kWindow];
  const unsigned plane = blockIdx.x / OH, row = blockIdx.x % OH;
  const int first = blockIdx.y * kWindows, windows = min(OW - first, kWindows);
  const float* in = x + ((long long)plane * H + row * kWindow) * W + first * kWindow;
  for (int w = threadIdx.x; w < windows * kWindow; w += blockDim.x) {
    float sum = 0;
#pragma unroll
    for (int h = 0; h < kWindow; ++h) sum += in[(long long)h * W + w];
    column_sums[w] = sum;
  }
  __syncthreads();
  if (threadIdx.x >= windows) return;
  float sum = 0;
#pragma unroll
  for (int i = 0; i < kWindow; ++i) sum += column_sums[threadIdx.x * kWindow + i];
  y[(long long)blockIdx.x * OW + first + threadIdx.x] = sum / (kWindow * kWindow);
}

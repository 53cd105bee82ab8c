// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel pool grid [N * C * OH, div_up(OW, 64)] block [128] (x, y, int(H), int(W), int(OH), int(OW))
*/
// A block has up to 64 windows side by side: threads find the largest of eleven rows, then of eleven of these each. NaN is larger than any
// number.
constexpr int kWindow = 11, kWindows = 64;

__device__ float larger(float a, float b) { return a > b || a != a ? a : b; }

extern "C" __global__ void __launch_bounds__(128) pool(const float* __restrict__ x, float* __restrict__ y, int H, int W, int OH, int OW) {
  __shared__ float tops[kWindows * kWindow];
  const unsigned plane = blockIdx.x / OH, row = blockIdx.x % OH;
  const int first = blockIdx.y * kWindows, windows = min(OW - first, kWindows);
  const float* in = x + ((long long)plane * H + row * kWindow) * W + first * kWindow;
  for (int w = threadIdx.x; w < windows * kWindow; w += blockDim.x) {
    float top = in[w];
#pragma unroll
    for (int h = 1; h < kWindow; ++h) top = larger(in[(long long)h * W + w], top);
    tops[w] = top;
  }
  __syncthreads();
  if (threadIdx.x >= windows) return;
  float top = tops[threadIdx.x * kWindow];
#pragma unroll
  for (int i = 1; i < kWindow; ++i) top = larger(tops[threadIdx.x * kWindow + i], top);
  y[(long long)blockIdx.x * OW + first + threadIdx.x] = top;
}

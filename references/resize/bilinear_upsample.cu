// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel upsample grid [N * C, div_up(W, 32), div_up(H, 8)] block [32, 8] (x, y, int(H), int(W))
*/
// A thread has an input pixel, and writes the four output pixels within it: each has 9/16 of it and the rest of three neighbours.
__device__ float blend(float nearby, float off) { return 0.75f * nearby + 0.25f * off; }

extern "C" __global__ void upsample(const float* __restrict__ x, float* __restrict__ y, int H, int W) {
  const int w = blockIdx.y * 32 + threadIdx.x, h = blockIdx.z * 8 + threadIdx.y;
  if (w >= W || h >= H) return;
  const float* in = x + (long long)blockIdx.x * H * W;
  const int left = max(w - 1, 0), right = min(w + 1, W - 1);
  const float* row[3] = {in + (long long)max(h - 1, 0) * W, in + (long long)h * W, in + (long long)min(h + 1, H - 1) * W};
  float2 along[3];
#pragma unroll
  for (int i = 0; i < 3; ++i) along[i] = make_float2(blend(row[i][w], row[i][left]), blend(row[i][w], row[i][right]));
  float* out = y + ((blockIdx.x * 2ll * H + 2 * h) * W + w) * 2;
  *reinterpret_cast<float2*>(out) = make_float2(blend(along[1].x, along[0].x), blend(along[1].y, along[0].y));
  *reinterpret_cast<float2*>(out + 2 * W) = make_float2(blend(along[1].x, along[2].x), blend(along[1].y, along[2].y));
}

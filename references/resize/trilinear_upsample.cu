// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel upsample grid [N * C * 2 * D, div_up(2 * H, 4), div_up(2 * W, 64)] block [64, 4] (x, y, int(D), int(H), int(W))
*/
// A thread has an output element: eight neighbours, whose places and weights follow from whole numbers alone.
struct Place {
  int low, high;
  float share;  // of the high one
};

// Element i of 2 n lies at i (n - 1) / (2 n - 1).
__device__ Place place_of(int i, int n) {
  const int above = i * (n - 1), below = 2 * n - 1, low = above / below;
  return {low, min(low + 1, n - 1), (float)(above - low * below) / below};
}

__device__ float blend(float low, float high, float share) { return low * (1 - share) + high * share; }

extern "C" __global__ void upsample(const float* __restrict__ x, float* __restrict__ y, int D, int H, int W) {
  const int w = blockIdx.z * 64 + threadIdx.x, h = blockIdx.y * 4 + threadIdx.y;
  if (w >= 2 * W || h >= 2 * H) return;
  const unsigned volume = blockIdx.x / (2 * D);
  const Place slice = place_of((int)(blockIdx.x % (2 * D)), D), row = place_of(h, H), column = place_of(w, W);
  const float* in = x + (long long)volume * D * H * W;
  const auto along = [&](int d, int r) {
    const float* v = in + ((long long)d * H + r) * W;
    return blend(v[column.low], v[column.high], column.share);
  };
  const auto across = [&](int d) { return blend(along(d, row.low), along(d, row.high), row.share); };
  y[((long long)blockIdx.x * 2 * H + h) * 2 * W + w] = blend(across(slice.low), across(slice.high), slice.share);
}

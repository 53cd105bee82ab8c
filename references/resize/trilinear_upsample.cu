// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel upsample grid [N * C * div_up(2 * D, 32), div_up(2 * H, 4), div_up(2 * W, 64)] block [64, 4] (x, y, int(D), int(H), int(W))
*/
// A thread has a column of 32 outputs, one in each slice. It keeps what it has of the two input slices around an output: places go up by
// one at most. They and their weights follow from whole numbers alone.
constexpr int kSlices = 32;

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
  const unsigned parts = (2 * D + kSlices - 1) / kSlices, volume = blockIdx.x / parts;
  const int first = (blockIdx.x - volume * parts) * kSlices, behind = min(first + kSlices, 2 * D);
  const Place row = place_of(h, H), column = place_of(w, W);
  const float* in = x + (long long)volume * D * H * W;
  const auto slice = [&](int d) {
    const float *near = in + ((long long)d * H + row.low) * W, *far = in + ((long long)d * H + row.high) * W;
    return blend(blend(near[column.low], near[column.high], column.share), blend(far[column.low], far[column.high], column.share), row.share);
  };
  const int below = 2 * D - 1;
  const float unit = 1.0f / below;
  int at = (int)((long long)first * (D - 1) / below), rest = (int)((long long)first * (D - 1) - (long long)at * below);
  float low = slice(at), high = slice(min(at + 1, D - 1));
  float* out = y + (((long long)volume * 2 * D + first) * 2 * H + h) * 2 * W + w;
  for (int d = first; d < behind; ++d, out += 4ll * H * W) {
    *out = blend(low, high, rest * unit);
    rest += D - 1;
    if (rest < below) continue;
    rest -= below;
    low = high;
    high = slice(min(++at + 1, D - 1));
  }
}

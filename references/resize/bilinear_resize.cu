// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel resize grid [div_up(OH * OW, 256), div_up(N * C, 16)] block [256] (x, y, long(N * C), int(H), int(W), int(OH), int(OW))
*/
// A thread has a pixel of sixteen images. Its place and weights are worked out once, in double: a place far from the origin has few digits
// left for its fraction.
constexpr int kImages = 16;

struct Place {
  int near, far;
  float weight;  // of the far one
};

// Of pixel i of m among the n that there were.
__device__ Place place_of(int i, int n, int m) {
  const double at = fmin(fmax((i + 0.5) * n / m - 0.5, 0.0), n - 1.0);
  const int near = (int)at;
  return {near, min(near + 1, n - 1), (float)(at - near)};
}

// An infinite neighbour of weight 0 makes no NaN.
__device__ float blend(float near, float far, float weight) { return weight == 0 ? near : (1 - weight) * near + weight * far; }

extern "C" __global__ void resize(const float* __restrict__ x, float* __restrict__ y, long long images, int H, int W, int OH, int OW) {
  const long long plane = (long long)OH * OW, pixel = blockIdx.x * 256ll + threadIdx.x;
  if (pixel >= plane) return;
  const Place row = place_of((int)(pixel / OW), H, OH), column = place_of((int)(pixel % OW), W, OW);
  const long long begin = blockIdx.y * (long long)kImages, end = min(begin + kImages, images);
#pragma unroll 4
  for (long long image = begin; image < end; ++image) {
    const float* in = x + image * H * W;
    const float *up = in + (long long)row.near * W, *down = in + (long long)row.far * W;
    y[image * plane + pixel] = blend(blend(up[column.near], up[column.far], column.weight),
                                     blend(down[column.near], down[column.far], column.weight), row.weight);
  }
}

// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch narrow: float[N * C * H * OW]
   kernel along_rows    grid [div_up(N * C * H * OW, 256)]  block [256] (x, narrow, long(N * C * H * OW), int(W), int(OW))
   kernel along_columns grid [div_up(N * C * OH * OW, 256)] block [256] (narrow, y, long(N * C * OH * OW), int(H), int(OH), int(OW))
*/
// Rows are resized first, then columns of what that gives. Places are double: far from the origin float has few digits left for a fraction.

// Pixel i of m, from the n that there were, which lie `pitch` apart.
__device__ float resized(const float* __restrict__ in, int i, int n, int m, int pitch) {
  const double scale = n > m ? (double)n / m : 1, at = (i + 0.5) * n / m - 0.5;
  const int first = max((int)ceil(at - scale), 0), last = min((int)floor(at + scale), n - 1);
  const float slope = (float)(1 / scale);
  float sum = 0, weights = 0;
  for (int k = first; k <= last; ++k) {
    const float weight = 1 - fabsf((float)(k - at)) * slope;
    if (weight <= 0) continue;
    sum += weight * in[(long long)k * pitch];
    weights += weight;
  }
  return sum / weights;
}

extern "C" __global__ void along_rows(const float* __restrict__ x, float* __restrict__ narrow, long long count, int W, int OW) {
  const long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i >= count) return;
  const long long row = i / OW;
  narrow[i] = resized(x + row * W, (int)(i - row * OW), W, OW, 1);
}

extern "C" __global__ void along_columns(const float* __restrict__ narrow, float* __restrict__ y, long long count, int H, int OH, int OW) {
  const long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i >= count) return;
  const long long row = i / OW, plane = row / OH;
  y[i] = resized(narrow + plane * H * OW + (i - row * OW), (int)(row - plane * OH), H, OH, OW);
}

// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel harmonics grid [div_up(N, 256)] block [256] (points, y, N)
*/
// A thread has a point. Three and eleven numbers side by side would be slow to read and write: they pass through shared memory.
constexpr int kThreads = 256, kIn = 3, kOut = 11;

extern "C" __global__ void harmonics(const float* __restrict__ points, float* __restrict__ y, long long N) {
  __shared__ float in[kThreads * kIn], out[kThreads * kOut];
  const long long first = blockIdx.x * (long long)kThreads;
  const int count = (int)min(N - first, (long long)kThreads);
  for (int i = threadIdx.x; i < count * kIn; i += kThreads) in[i] = points[first * kIn + i];
  __syncthreads();
  if (threadIdx.x < count) {
    const float x = in[threadIdx.x * kIn], y = in[threadIdx.x * kIn + 1], z = in[threadIdx.x * kIn + 2];
    const float xx = x * x, yy = y * y, zz = z * z, xyz = x * y * z;
    float* of = out + threadIdx.x * kOut;
    of[0] = x * (2.3268137f * xx * xx - 23.268139f * xx * zz + 11.634069f * zz * zz);
    of[1] = 29.432125f * xyz * (zz - xx);
    of[2] = x * (1.7343047f * xx * xx - 13.874437f * xx * yy - 3.4686093f * xx * zz + 41.62331f * yy * zz - 5.2029138f * zz * zz);
    of[3] = 16.992645f * xyz * (2 * yy - xx - zz);
    of[4] = x * (1.6056541f * (xx + zz) * (xx + zz) - 19.267849f * yy * (xx + zz) + 12.845233f * yy * yy);
    of[5] = y * (6.2186713f * (xx + zz) * (xx + zz) - 16.583124f * yy * (xx + zz) + 3.3166249f * yy * yy);
    of[6] = z * (1.6056541f * (xx + zz) * (xx + zz) - 19.267849f * yy * (xx + zz) + 12.845233f * yy * yy);
    of[7] = y * (8.4963226f * (xx * xx - zz * zz) - 16.992645f * yy * (xx - zz));
    of[8] = z * (5.2029138f * xx * xx - 41.62331f * xx * yy + 3.4686093f * xx * zz + 13.874437f * yy * zz - 1.7343047f * zz * zz);
    of[9] = y * (7.3580313f * xx * xx - 44.14819f * xx * zz + 7.3580313f * zz * zz);
    of[10] = z * (11.634069f * xx * xx - 23.268139f * xx * zz + 2.3268137f * zz * zz);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < count * kOut; i += kThreads) y[first * kOut + i] = out[i];
}

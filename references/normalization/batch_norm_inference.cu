// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel normalise grid [N * C, div_up(H * W, 4096)] block [256] (x, scale, bias, mean, variance, y, int(C), long(H * W))
*/
// A block has a piece of a channel of a sample, and works out the channel's factor once for sixteen numbers a thread.
constexpr int kThreads = 256, kPiece = 4096;

extern "C" __global__ void normalise(const float* __restrict__ x, const float* __restrict__ scale, const float* __restrict__ bias,
                                     const float* __restrict__ mean, const float* __restrict__ variance, float* __restrict__ y, int C,
                                     long long plane) {
  const int channel = blockIdx.x % C;
  const float middle = mean[channel], factor = scale[channel] / sqrtf(variance[channel] + 1e-5f), shift = bias[channel];
  const auto normal = [&](float v) { return (v - middle) * factor + shift; };
  const long long first = blockIdx.y * (long long)kPiece, end = min(first + kPiece, plane);
  x += blockIdx.x * plane;
  y += blockIdx.x * plane;
  if (plane % 4 == 0) {
#pragma unroll
    for (long long i = first + threadIdx.x * 4; i < end; i += kThreads * 4) {
      const float4 v = *reinterpret_cast<const float4*>(x + i);
      *reinterpret_cast<float4*>(y + i) = make_float4(normal(v.x), normal(v.y), normal(v.z), normal(v.w));
    }
    return;
  }
  for (long long i = first + threadIdx.x; i < end; i += kThreads) y[i] = normal(x[i]);
}

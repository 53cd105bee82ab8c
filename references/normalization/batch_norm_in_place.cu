// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch part: double[C * div_up(N * L, 16384) * 2]
   kernel add_moments grid [C, div_up(N * L, 16384)] block [256] (x, part, N, C, L)
   kernel normalise   grid [C, div_up(N * L, 4096)]  block [256]
                      (x, scale, bias, running_mean, running_var, part, y, N, C, L, int(div_up(N * L, 16384)))
*/
// Blocks gather both moments of pieces of a channel, in double and relative to the channel's first element, so that neither a large offset
// nor a constant input cancels. The second kernel's blocks each add up the pieces of their channel.
constexpr int kThreads = 256, kWarps = kThreads / 32, kPiece = 16384, kShare = 4096;

struct Moments {
  double sum, squares;
};

__device__ Moments add(Moments a, Moments b) { return {a.sum + b.sum, a.squares + b.squares}; }

// Of all threads of the block, for all of them.
__device__ Moments of_block(Moments m) {
  __shared__ Moments warps[kWarps];
  for (int width = 16; width > 0; width /= 2)
    m = add(m, {__shfl_xor_sync(0xffffffff, m.sum, width), __shfl_xor_sync(0xffffffff, m.squares, width)});
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = m;
  __syncthreads();
  m = warps[0];
  for (int warp = 1; warp < kWarps; ++warp) m = add(m, warps[warp]);
  return m;
}

// Calls f with the place in x of each element from `begin` to `end` of a channel. Planes of a multiple of four elements come in fours.
template <class F>
__device__ void for_each(long long begin, long long end, long long channel, long long C, long long plane, F f) {
  const int step = plane % 4 == 0 ? 4 : 1;
  long long i = begin + threadIdx.x * step, n = i / plane, at = i - n * plane;
  for (; i < end; i += kThreads * step) {
    f((n * C + channel) * plane + at);
    at += kThreads * step;
    if (at < plane) continue;
    n += at / plane;
    at %= plane;
  }
}

// An infinite one would make the mean NaN.
__device__ double origin(const float* x, long long channel, long long plane) {
  const float first = x[channel * plane];
  return isfinite(first) ? first : 0;
}

extern "C" __global__ void add_moments(const float* __restrict__ x, Moments* __restrict__ part, long long N, long long C, long long plane) {
  const double first = origin(x, blockIdx.x, plane);
  const long long begin = blockIdx.y * (long long)kPiece, end = min(begin + kPiece, N * plane);
  Moments m = {0, 0};
  const auto take = [&](float v) {
    const double d = v - first;
    m = add(m, {d, d * d});
  };
  if (plane % 4 == 0)
    for_each(begin, end, blockIdx.x, C, plane, [&](long long at) {
      const float4 v = *reinterpret_cast<const float4*>(x + at);
      take(v.x);
      take(v.y);
      take(v.z);
      take(v.w);
    });
  else for_each(begin, end, blockIdx.x, C, plane, [&](long long at) { take(x[at]); });
  m = of_block(m);
  if (threadIdx.x == 0) part[blockIdx.x * (long long)gridDim.y + blockIdx.y] = m;
}

extern "C" __global__ void normalise(const float* __restrict__ x, const float* __restrict__ scale, const float* __restrict__ bias,
                                     float* __restrict__ running_mean, float* __restrict__ running_var, const Moments* __restrict__ part,
                                     float* __restrict__ y, long long N, long long C, long long plane, int pieces) {
  const long long channel = blockIdx.x, count = N * plane;
  Moments m = {0, 0};
  for (int p = threadIdx.x; p < pieces; p += kThreads) m = add(m, part[channel * pieces + p]);
  m = of_block(m);
  const double distance = m.sum / count, mean = origin(x, channel, plane) + distance;
  const double spread = m.squares / count - distance * distance, variance = spread < 0 ? 0 : spread;
  if (blockIdx.y == 0 && threadIdx.x == 0) {
    running_mean[channel] = (float)(0.875 * running_mean[channel] + 0.125 * mean);
    running_var[channel] = (float)(0.875 * running_var[channel] + 0.125 * variance);
  }
  const float middle = (float)mean, off = (float)(mean - middle);  // a float alone would lose what a large mean has beyond it
  const float factor = (float)(1 / sqrt(variance + 1e-5)) * scale[channel], shift = bias[channel];
  const auto normal = [&](float v) { return ((v - middle) - off) * factor + shift; };
  const long long begin = blockIdx.y * (long long)kShare, end = min(begin + kShare, count);
  if (plane % 4 == 0)
    for_each(begin, end, channel, C, plane, [&](long long at) {
      const float4 v = *reinterpret_cast<const float4*>(x + at);
      *reinterpret_cast<float4*>(y + at) = make_float4(normal(v.x), normal(v.y), normal(v.z), normal(v.w));
    });
  else for_each(begin, end, channel, C, plane, [&](long long at) { y[at] = normal(x[at]); });
}

// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch part: double[N * div_up(C * H * W, 8192) * 2]
   kernel add_moments grid [div_up(C * H * W, 8192), N] block [256]
                      (x, part, long(C * H * W))
   kernel normalise   grid [div_up(C * H * W, 1024), N] block [256]
                      (x, scale, bias, part, y, long(C * H * W), int(div_up(C * H * W, 8192)))
*/
// Blocks gather both moments of pieces of a sample, in double and relative to the sample's first element, so that neither a large offset
// nor a constant input cancels. The second kernel's blocks each add up the pieces of their sample.
constexpr int kThreads = 256, kWarps = kThreads / 32, kPiece = 8192, kShare = 1024;

struct Moments {
  double sum, squares;
};

__device__ Moments add(Moments a, Moments b) { return {a.sum + b.sum, a.squares + b.squares}; }

__device__ Moments of_warp(Moments m) {
  for (int width = 16; width > 0; width /= 2)
    m = add(m, {__shfl_xor_sync(0xffffffff, m.sum, width), __shfl_xor_sync(0xffffffff, m.squares, width)});
  return m;
}

// Of all threads of the block, for all of them.
__device__ Moments of_block(Moments m) {
  __shared__ Moments warps[kWarps];
  m = of_warp(m);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = m;
  __syncthreads();
  m = warps[0];
  for (int warp = 1; warp < kWarps; ++warp) m = add(m, warps[warp]);
  return m;
}

extern "C" __global__ void add_moments(const float* __restrict__ x, Moments* __restrict__ part, long long length) {
  const float* sample = x + blockIdx.y * length;
  const double first = sample[0];
  const long long begin = blockIdx.x * (long long)kPiece, end = min(begin + kPiece, length);
  Moments m = {0, 0};
  for (long long i = begin + threadIdx.x; i < end; i += kThreads) {
    const double d = sample[i] - first;
    m = add(m, {d, d * d});
  }
  m = of_block(m);
  if (threadIdx.x == 0) part[blockIdx.y * (long long)gridDim.x + blockIdx.x] = m;
}

extern "C" __global__ void normalise(const float* __restrict__ x, const float* __restrict__ scale, const float* __restrict__ bias,
                                     const Moments* __restrict__ part, float* __restrict__ y, long long length, int pieces) {
  Moments m = {0, 0};
  for (int p = threadIdx.x; p < pieces; p += kThreads) m = add(m, part[blockIdx.y * (long long)pieces + p]);
  m = of_block(m);
  const long long sample = blockIdx.y * length;
  const double distance = m.sum / length, mean = x[sample] + distance;
  const double variance = max(m.squares / length - distance * distance, 0.0);
  const double factor = 1 / sqrt(variance + 1e-5);
  const long long begin = blockIdx.x * (long long)kShare, end = min(begin + kShare, length);
  for (long long i = begin + threadIdx.x; i < end; i += kThreads)
    y[sample + i] = (float)((x[sample + i] - mean) * factor * scale[i] + bias[i]);
}

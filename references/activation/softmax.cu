// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel softmax grid [N] block [256] (x, y, C)
*/
// A block has a row, which it reads twice more from a cache: the maximum, the sum of exponentials, the quotients.
constexpr int kThreads = 256, kWarps = kThreads / 32;
constexpr unsigned kAll = 0xffffffff;

// NaN is the larger of any two.
struct Larger {
  __device__ float operator()(float a, float b) const { return a > b || a != a ? a : b; }
};
struct Sum {
  __device__ float operator()(float a, float b) const { return a + b; }
};

// Of all threads of the block, for all of them.
template <class Join>
__device__ float of_block(float value, Join join) {
  __shared__ float of_warp[kWarps];
  for (int width = 16; width > 0; width /= 2) value = join(value, __shfl_xor_sync(kAll, value, width));
  __syncthreads();
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
  __syncthreads();
  value = of_warp[0];
  for (int warp = 1; warp < kWarps; ++warp) value = join(value, of_warp[warp]);
  return value;
}

extern "C" __global__ void softmax(const float* __restrict__ x, float* __restrict__ y, long long columns) {
  const float* in = x + blockIdx.x * columns;
  float* out = y + blockIdx.x * columns;
  float top = __int_as_float(0xff800000);
  for (long long c = threadIdx.x; c < columns; c += kThreads) top = Larger()(in[c], top);
  top = of_block(top, Larger());
  float sum = 0;
  for (long long c = threadIdx.x; c < columns; c += kThreads) sum += expf(in[c] - top);
  sum = of_block(sum, Sum());
  for (long long c = threadIdx.x; c < columns; c += kThreads) out[c] = expf(in[c] - top) / sum;
}

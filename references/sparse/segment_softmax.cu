// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel softmax grid [(P - 1) * H] block [256] (x, offsets, y, T, P)
*/
// A block has a sequence of a head, which it reads twice, the second time from a cache as a rule: each thread holds the largest number so
// far and the sum of exponentials relative to it, then come the quotients.
#include <stdint.h>

constexpr int kThreads = 256, kWarps = kThreads / 32;
constexpr unsigned kAll = 0xffffffff;

struct Part {
  float top, sum;
};

// NaN is the larger of any two.
__device__ float larger(float a, float b) { return a > b || a != a ? a : b; }

__device__ Part join(Part a, Part b) {
  const float top = larger(a.top, b.top);
  const float left = a.top == top ? a.sum : a.sum * expf(a.top - top), right = b.top == top ? b.sum : b.sum * expf(b.top - top);
  return {top, left + right};
}

extern "C" __global__ void softmax(const float* __restrict__ x, const int64_t* __restrict__ offsets, float* __restrict__ y, int64_t T,
                                   int64_t P) {
  __shared__ Part warps[kWarps];
  const int64_t head = blockIdx.x / (P - 1), sequence = blockIdx.x % (P - 1);
  const int64_t begin = offsets[sequence], end = offsets[sequence + 1];
  x += head * T;
  y += head * T;
  Part part = {-3.402823466e38f, 0};  // as low as a finite number can be: all else would be Inf - Inf
#pragma unroll 4
  for (int64_t t = begin + threadIdx.x; t < end; t += kThreads) {
    const float value = x[t];
    if (value <= part.top) {
      part.sum += expf(value - part.top);
    } else {
      part.sum = part.sum * expf(part.top - value) + expf(value - value);
      part.top = value;
    }
  }
  for (int width = 16; width > 0; width /= 2)
    part = join(part, {__shfl_xor_sync(kAll, part.top, width), __shfl_xor_sync(kAll, part.sum, width)});
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = part;
  __syncthreads();
  part = warps[0];
  for (int warp = 1; warp < kWarps; ++warp) part = join(part, warps[warp]);
#pragma unroll 4
  for (int64_t t = begin + threadIdx.x; t < end; t += kThreads) y[t] = expf(x[t] - part.top) / part.sum;
}

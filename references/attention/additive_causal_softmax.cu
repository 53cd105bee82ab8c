// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel softmax grid [B * S] block [256] (x, mask, dy, y, dx, S)
*/
// A block has a row, of which a thread holds up to eight exponentials in registers; those beyond 2,048 are worked out again.
#include <stdint.h>

constexpr int kThreads = 256, kWarps = kThreads / 32, kHeld = 8;

// NaN is the larger of any two.
__device__ float larger(float a, float b) { return a > b || a != a ? a : b; }
__device__ float sum_of(float a, float b) { return a + b; }

// Of all threads of the block, for all of them.
template <class Join>
__device__ float of_block(float value, Join join) {
  __shared__ float of_warp[kWarps];
  for (int width = 16; width > 0; width /= 2) value = join(value, __shfl_xor_sync(0xffffffff, value, width));
  __syncthreads();
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
  __syncthreads();
  value = of_warp[0];
  for (int warp = 1; warp < kWarps; ++warp) value = join(value, of_warp[warp]);
  return value;
}

extern "C" __global__ void softmax(const float* __restrict__ x, const float* __restrict__ mask, const float* __restrict__ dy,
                                   float* __restrict__ y, float* __restrict__ dx, int64_t S) {
  const int64_t row = gridDim.x - 1 - (int64_t)blockIdx.x, seen = row % S + 1;  // the longest come first
  x += row * S;
  dy += row * S;
  y += row * S;
  dx += row * S;
  mask += row / S * S;
  float held[kHeld], top = __int_as_float(0xff800000), total = 0, products = 0;
  const int64_t rest = threadIdx.x + (int64_t)kHeld * kThreads;
#pragma unroll
  for (int i = 0; i < kHeld; ++i) {
    const int64_t k = threadIdx.x + i * kThreads;
    held[i] = k < seen ? x[k] + mask[k] : __int_as_float(0xff800000);
    top = larger(held[i], top);
  }
  for (int64_t k = rest; k < seen; k += kThreads) top = larger(x[k] + mask[k], top);
  top = of_block(top, larger);
#pragma unroll
  for (int i = 0; i < kHeld; ++i) {
    const int64_t k = threadIdx.x + i * kThreads;
    if (k >= seen) break;
    held[i] = expf(held[i] - top);
    total += held[i];
    products = fmaf(held[i], dy[k], products);
  }
  for (int64_t k = rest; k < seen; k += kThreads) {
    const float power = expf(x[k] + mask[k] - top);
    total += power;
    products = fmaf(power, dy[k], products);
  }
  total = of_block(total, sum_of);
  products = of_block(products, sum_of) / total;
#pragma unroll
  for (int i = 0; i < kHeld; ++i) {
    const int64_t k = threadIdx.x + i * kThreads;
    if (k >= S) break;
    const float share = k < seen ? held[i] / total : 0;
    y[k] = share;
    dx[k] = share * (dy[k] - products);
  }
  for (int64_t k = rest; k < S; k += kThreads) {
    const float share = k < seen ? expf(x[k] + mask[k] - top) / total : 0;
    y[k] = share;
    dx[k] = share * (dy[k] - products);
  }
}

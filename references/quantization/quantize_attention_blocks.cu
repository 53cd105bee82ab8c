// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel quantize grid [B * P]     block [256] (q, q_codes, q_scale, int(128 * D), int(D))
   kernel quantize grid [B * P * 2] block [256] (k, k_codes, k_scale, int(64 * D), int(0))
*/
// A block has a block of queries or keys, which is a multiple of four numbers. The second time they are read they are in the
// device's cache.
#include <stdint.h>

constexpr int kThreads = 256, kWarps = kThreads / 32;

// NaN is the larger of any two.
__device__ float larger(float a, float b) { return a > b || a != a ? a : b; }

// Ties away from zero.
__device__ int8_t code_of(float v) { return (int8_t)(int)(v + (v > 0 ? 0.5f : v < 0 ? -0.5f : 0)); }

// With a depth, numbers are first multiplied by log2(e) over its root.
extern "C" __global__ void quantize(const float* __restrict__ x, int8_t* __restrict__ codes, float* __restrict__ scale, int size,
                                    int depth) {
  __shared__ float tops[kWarps];
  const float factor = depth > 0 ? 1.4426950408889634f / sqrtf((float)depth) : 1;
  const float4* in = reinterpret_cast<const float4*>(x + blockIdx.x * (int64_t)size);
  char4* out = reinterpret_cast<char4*>(codes + blockIdx.x * (int64_t)size);
  float top = 0;
#pragma unroll 4
  for (int u = threadIdx.x; u < size / 4; u += kThreads) {
    const float4 v = in[u];
    const float first = larger(fabsf(v.x * factor), fabsf(v.y * factor)), second = larger(fabsf(v.z * factor), fabsf(v.w * factor));
    top = larger(larger(first, second), top);
  }
  for (int width = 16; width > 0; width /= 2) top = larger(__shfl_xor_sync(0xffffffff, top, width), top);
  if (threadIdx.x % 32 == 0) tops[threadIdx.x / 32] = top;
  __syncthreads();
  for (int warp = 0; warp < kWarps; ++warp) top = larger(tops[warp], top);
  const float step = larger(top / 127, 5.421010862427522e-20f);
  if (threadIdx.x == 0) scale[blockIdx.x] = step;
#pragma unroll 4
  for (int u = threadIdx.x; u < size / 4; u += kThreads) {
    const float4 v = in[u];
    out[u] = make_char4(code_of(v.x * factor / step), code_of(v.y * factor / step),
                        code_of(v.z * factor / step), code_of(v.w * factor / step));
  }
}

// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel row_losses grid [N] block [256] (x, target, y, C)
*/
// A block has a row, which it reads once: each thread holds the largest number so far and the sum of exponentials relative to it.
constexpr int kThreads = 256, kWarps = kThreads / 32;
constexpr unsigned kAll = 0xffffffff;

// Of some numbers: the largest, the sum of exponentials relative to it, and the sum.
struct Part {
  float top, powers, sum;
};

// NaN is the larger of any two.
__device__ float larger(float a, float b) { return a > b || a != a ? a : b; }

// No sum is scaled by exp(-Inf + Inf): where a part is empty its top is the other one's, or both are empty.
__device__ Part join(Part a, Part b) {
  const float top = larger(a.top, b.top);
  const float left = a.top == top ? a.powers : a.powers * expf(a.top - top);
  const float right = b.top == top ? b.powers : b.powers * expf(b.top - top);
  return {top, left + right, a.sum + b.sum};
}

__device__ void take(Part& part, float value) {
  part.sum += value;
  if (value <= part.top) {
    part.powers += value == part.top ? 1 : expf(value - part.top);
    return;
  }
  part.powers = part.powers * expf(part.top - value) + 1;
  part.top = value;
}

extern "C" __global__ void row_losses(const float* __restrict__ x, const long long* __restrict__ target, float* __restrict__ y,
                                      long long C) {
  __shared__ Part warps[kWarps];
  const long long class_of_row = target[blockIdx.x];
  if (class_of_row < 0) {
    if (threadIdx.x == 0) y[blockIdx.x] = 0;
    return;
  }
  x += blockIdx.x * C;
  Part part = {__int_as_float(0xff800000), 0, 0};
  if (C % 4 == 0) {
#pragma unroll 2
    for (long long u = threadIdx.x; u < C / 4; u += kThreads) {
      const float4 v = reinterpret_cast<const float4*>(x)[u];
      take(part, v.x);
      take(part, v.y);
      take(part, v.z);
      take(part, v.w);
    }
  } else {
    for (long long c = threadIdx.x; c < C; c += kThreads) take(part, x[c]);
  }
  for (int width = 16; width > 0; width /= 2)
    part = join(part, {__shfl_xor_sync(kAll, part.top, width), __shfl_xor_sync(kAll, part.powers, width),
                       __shfl_xor_sync(kAll, part.sum, width)});
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = part;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (int warp = 1; warp < kWarps; ++warp) part = join(part, warps[warp]);
  y[blockIdx.x] = logf(part.powers) + (part.top - 0.9f * x[class_of_row] - 0.1f * (part.sum / C));
}

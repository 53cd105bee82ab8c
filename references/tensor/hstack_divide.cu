// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel join grid [N, div_up(A + B, 1024)] block [256] (x, z, divisor, y, A, B)
*/
// A thread has four neighbouring numbers of a row, which are all of one matrix where rows of both are a multiple of four.
extern "C" __global__ void join(const float* __restrict__ x, const float* __restrict__ z, const float* __restrict__ divisor,
                                float* __restrict__ y, long long A, long long B) {
  const long long width = A + B, c = (blockIdx.y * 256ll + threadIdx.x) * 4;
  if (c >= width) return;
  const float d = *divisor, *left = x + blockIdx.x * A, *right = z + blockIdx.x * B;
  float* out = y + blockIdx.x * width;
  if (A % 4 == 0 && B % 4 == 0) {
    const float4 v = *reinterpret_cast<const float4*>(c < A ? left + c : right + (c - A));
    *reinterpret_cast<float4*>(out + c) = make_float4(v.x / d, v.y / d, v.z / d, v.w / d);
    return;
  }
  for (long long k = c; k < min(c + 4, width); ++k) out[k] = (k < A ? left[k] : right[k - A]) / d;
}

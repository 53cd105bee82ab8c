// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel relu grid [div_up(div_up(N * C, 4), 256)] block [256] (a, b, y, long(N * C))
*/
// A thread has four neighbouring results; those of the last one may be fewer. A comparison lets NaN pass.
__device__ float relu_of(float a, float b) {
  const float product = a * b;
  return product < 0 ? 0 : product;
}

extern "C" __global__ void relu(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ y, long long count) {
  const long long i = (blockIdx.x * 256ll + threadIdx.x) * 4;
  if (i + 4 <= count) {
    const float4 v = *reinterpret_cast<const float4*>(a + i), w = *reinterpret_cast<const float4*>(b + i);
    *reinterpret_cast<float4*>(y + i) = make_float4(relu_of(v.x, w.x), relu_of(v.y, w.y), relu_of(v.z, w.z), relu_of(v.w, w.w));
    return;
  }
  for (long long k = i; k < count; ++k) y[k] = relu_of(a[k], b[k]);
}

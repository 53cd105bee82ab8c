// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel step grid [div_up(div_up(N, 4), 256)] block [256] (param, square, grad, N)
*/
// A thread has four neighbouring parameters; those of the last one may be fewer.
struct State {
  float param, square;
};

__device__ State step_of(float param, float square, float grad) {
  square += grad * grad;
  return {param - 0.01f * grad / (sqrtf(square) + 1e-10f), square};
}

__device__ float4 load(const float* from) { return *reinterpret_cast<const float4*>(from); }
__device__ void store(float* to, float4 v) { *reinterpret_cast<float4*>(to) = v; }

extern "C" __global__ void step(float* __restrict__ param, float* __restrict__ square, const float* __restrict__ grad, long long count) {
  const long long i = (blockIdx.x * 256ll + threadIdx.x) * 4;
  if (i + 4 <= count) {
    const float4 p = load(param + i), s = load(square + i), g = load(grad + i);
    const State a = step_of(p.x, s.x, g.x), b = step_of(p.y, s.y, g.y), c = step_of(p.z, s.z, g.z), d = step_of(p.w, s.w, g.w);
    store(param + i, make_float4(a.param, b.param, c.param, d.param));
    store(square + i, make_float4(a.square, b.square, c.square, d.square));
    return;
  }
  for (long long k = i; k < count; ++k) {
    const State s = step_of(param[k], square[k], grad[k]);
    param[k] = s.param;
    square[k] = s.square;
  }
}

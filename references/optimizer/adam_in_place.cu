// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel step grid [div_up(div_up(N, 4), 256)] block [256] (param, m, v, grad, N)
*/
// A thread has four neighbouring parameters; those of the last one may be fewer.
struct State {
  float param, m, v;
};

__device__ State step_of(float param, float m, float v, float grad) {
  m = 0.9f * m + 0.1f * grad;
  v = 0.999f * v + 0.001f * (grad * grad);
  return {param - 0.001f * (m / 0.1f) / (sqrtf(v / 0.001f) + 1e-8f), m, v};
}

__device__ float4 load(const float* from) { return *reinterpret_cast<const float4*>(from); }
__device__ void store(float* to, float4 v) { *reinterpret_cast<float4*>(to) = v; }

extern "C" __global__ void step(float* __restrict__ param, float* __restrict__ m, float* __restrict__ v, const float* __restrict__ grad,
                                long long count) {
  const long long i = (blockIdx.x * 256ll + threadIdx.x) * 4;
  if (i + 4 <= count) {
    const float4 p = load(param + i), first = load(m + i), second = load(v + i), g = load(grad + i);
    const State a = step_of(p.x, first.x, second.x, g.x), b = step_of(p.y, first.y, second.y, g.y);
    const State c = step_of(p.z, first.z, second.z, g.z), d = step_of(p.w, first.w, second.w, g.w);
    store(param + i, make_float4(a.param, b.param, c.param, d.param));
    store(m + i, make_float4(a.m, b.m, c.m, d.m));
    store(v + i, make_float4(a.v, b.v, c.v, d.v));
    return;
  }
  for (long long k = i; k < count; ++k) {
    const State s = step_of(param[k], m[k], v[k], grad[k]);
    param[k] = s.param;
    m[k] = s.m;
    v[k] = s.v;
  }
}

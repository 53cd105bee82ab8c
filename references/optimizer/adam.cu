// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel step grid [div_up(div_up(N * M, 4), 256)] block [256] (param, grad, m, v, new_param, new_m, new_v, long(N * M))
*/
// A thread has four neighbouring parameters; those of the last one may be fewer.
struct State {
  float param, m, v;
};

__device__ State step_of(float param, float grad, float m, float v) {
  m = 0.9f * m + 0.1f * grad;
  v = 0.999f * v + 0.001f * (grad * grad);
  return {param - 0.001f * (m / 0.1f) / (sqrtf(v / 0.001f) + 1e-8f), m, v};
}

__device__ float4 load(const float* from) { return *reinterpret_cast<const float4*>(from); }
__device__ void store(float* to, float4 v) { *reinterpret_cast<float4*>(to) = v; }

extern "C" __global__ void step(const float* __restrict__ param, const float* __restrict__ grad, const float* __restrict__ m,
                                const float* __restrict__ v, float* __restrict__ new_param, float* __restrict__ new_m,
                                float* __restrict__ new_v, long long count) {
  const long long i = (blockIdx.x * 256ll + threadIdx.x) * 4;
  if (i + 4 <= count) {
    const float4 p = load(param + i), g = load(grad + i), first = load(m + i), second = load(v + i);
    const State a = step_of(p.x, g.x, first.x, second.x), b = step_of(p.y, g.y, first.y, second.y);
    const State c = step_of(p.z, g.z, first.z, second.z), d = step_of(p.w, g.w, first.w, second.w);
    store(new_param + i, make_float4(a.param, b.param, c.param, d.param));
    store(new_m + i, make_float4(a.m, b.m, c.m, d.m));
    store(new_v + i, make_float4(a.v, b.v, c.v, d.v));
    return;
  }
  for (long long k = i; k < count; ++k) {
    const State s = step_of(param[k], grad[k], m[k], v[k]);
    new_param[k] = s.param;
    new_m[k] = s.m;
    new_v[k] = s.v;
  }
}

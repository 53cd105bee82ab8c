// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel step grid [div_up(div_up(N, 4), 256)] block [256] (param, velocity, grad, N)
*/
// A thread has four neighbouring parameters; those of the last one may be fewer.
struct State {
  float param, velocity;
};

__device__ State step_of(float param, float velocity, float grad) {
  const float decayed = grad + 0.01f * param;
  velocity = 0.9f * velocity + decayed;
  return {param - 0.01f * (decayed + 0.9f * velocity), velocity};
}

__device__ float4 load(const float* from) { return *reinterpret_cast<const float4*>(from); }
__device__ void store(float* to, float4 v) { *reinterpret_cast<float4*>(to) = v; }

extern "C" __global__ void step(float* __restrict__ param, float* __restrict__ velocity, const float* __restrict__ grad, long long count) {
  const long long i = (blockIdx.x * 256ll + threadIdx.x) * 4;
  if (i + 4 <= count) {
    const float4 p = load(param + i), s = load(velocity + i), g = load(grad + i);
    const State a = step_of(p.x, s.x, g.x), b = step_of(p.y, s.y, g.y), c = step_of(p.z, s.z, g.z), d = step_of(p.w, s.w, g.w);
    store(param + i, make_float4(a.param, b.param, c.param, d.param));
    store(velocity + i, make_float4(a.velocity, b.velocity, c.velocity, d.velocity));
    return;
  }
  for (long long k = i; k < count; ++k) {
    const State s = step_of(param[k], velocity[k], grad[k]);
    param[k] = s.param;
    velocity[k] = s.velocity;
  }
}

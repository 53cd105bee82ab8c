// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel step grid [div_up(div_up(N, 4), 256)] block [256] (param, momentum, grad, N)
*/
// A thread has four neighbouring parameters; those of the last one may be fewer.
struct State {
  float param, momentum;
};

// Zero is its own sign, and NaN.
__device__ float sign_of(float v) { return v > 0 ? 1 : v < 0 ? -1 : v; }

__device__ State step_of(float param, float momentum, float grad) {
  const float direction = 0.9f * momentum + 0.1f * grad;
  return {0.9999f * param - 0.01f * sign_of(direction), 0.99f * momentum + 0.01f * grad};
}

__device__ float4 load(const float* from) { return *reinterpret_cast<const float4*>(from); }
__device__ void store(float* to, float4 v) { *reinterpret_cast<float4*>(to) = v; }

extern "C" __global__ void step(float* __restrict__ param, float* __restrict__ momentum, const float* __restrict__ grad, long long count) {
  const long long i = (blockIdx.x * 256ll + threadIdx.x) * 4;
  if (i + 4 <= count) {
    const float4 p = load(param + i), s = load(momentum + i), g = load(grad + i);
    const State a = step_of(p.x, s.x, g.x), b = step_of(p.y, s.y, g.y), c = step_of(p.z, s.z, g.z), d = step_of(p.w, s.w, g.w);
    store(param + i, make_float4(a.param, b.param, c.param, d.param));
    store(momentum + i, make_float4(a.momentum, b.momentum, c.momentum, d.momentum));
    return;
  }
  for (long long k = i; k < count; ++k) {
    const State s = step_of(param[k], momentum[k], grad[k]);
    param[k] = s.param;
    momentum[k] = s.momentum;
  }
}

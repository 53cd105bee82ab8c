// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel step grid [div_up(div_up(N * M, 4), 256)] block [256] (param, grad, velocity, new_param, new_velocity, long(N * M))
*/
// A thread has four neighbouring parameters; those of the last one may be fewer.
__device__ float faster(float velocity, float grad) { return 0.9f * velocity + grad; }
__device__ float moved(float param, float velocity) { return param - 0.01f * velocity; }

extern "C" __global__ void step(const float* __restrict__ param, const float* __restrict__ grad, const float* __restrict__ velocity,
                                float* __restrict__ new_param, float* __restrict__ new_velocity, long long count) {
  const long long i = (blockIdx.x * 256ll + threadIdx.x) * 4;
  if (i + 4 <= count) {
    float4 p = *reinterpret_cast<const float4*>(param + i);
    const float4 g = *reinterpret_cast<const float4*>(grad + i);
    float4 v = *reinterpret_cast<const float4*>(velocity + i);
    v = make_float4(faster(v.x, g.x), faster(v.y, g.y), faster(v.z, g.z), faster(v.w, g.w));
    p = make_float4(moved(p.x, v.x), moved(p.y, v.y), moved(p.z, v.z), moved(p.w, v.w));
    *reinterpret_cast<float4*>(new_velocity + i) = v;
    *reinterpret_cast<float4*>(new_param + i) = p;
    return;
  }
  for (long long k = i; k < count; ++k) {
    const float v = faster(velocity[k], grad[k]);
    new_velocity[k] = v;
    new_param[k] = moved(param[k], v);
  }
}

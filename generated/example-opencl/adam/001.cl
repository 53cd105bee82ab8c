/* launch
   kernel adam8 global [div_up(N * M, 8)] (param, grad, m, v, new_param, new_m, new_v, long(N * M))
*/
// Eight elements per work-item as float8; the last work-item finishes the tail one by one.
#define STEP(T)                                                      \
  const T first = 0.9f * m0 + 0.1f * g;                              \
  const T second = 0.999f * v0 + 0.001f * (g * g);                   \
  const T next = p - 0.01f * first / (sqrt(1000.0f * second) + 1e-8f);

__kernel void adam8(__global const float* restrict param, __global const float* restrict grad,
                    __global const float* restrict m, __global const float* restrict v,
                    __global float* restrict new_param, __global float* restrict new_m,
                    __global float* restrict new_v, long n) {
  const long at = get_global_id(0);
  if (8 * at + 8 <= n) {
    const float8 p = vload8(at, param), g = vload8(at, grad), m0 = vload8(at, m), v0 = vload8(at, v);
    STEP(float8)
    vstore8(first, at, new_m);
    vstore8(second, at, new_v);
    vstore8(next, at, new_param);
    return;
  }
  for (long i = 8 * at; i < n; ++i) {
    const float p = param[i], g = grad[i], m0 = m[i], v0 = v[i];
    STEP(float)
    new_m[i] = first;
    new_v[i] = second;
    new_param[i] = next;
  }
}

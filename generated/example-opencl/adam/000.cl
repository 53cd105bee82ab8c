/* launch
   kernel adam_step global [round_up(N * M, 64)] local [64] (param, grad, m, v, new_param, new_m, new_v, long(N * M))
*/
__kernel void adam_step(__global const float* param, __global const float* grad, __global const float* m,
                        __global const float* v, __global float* new_param, __global float* new_m,
                        __global float* new_v, const long n) {
  const long i = get_global_id(0);
  if (i >= n) return;
  const float g = grad[i];
  const float first = 0.9f * m[i] + 0.1f * g;
  const float second = 0.999f * v[i] + 0.001f * (g * g);
  new_m[i] = first;
  new_v[i] = second;
  const float m_hat = first / 0.1f;
  const float v_hat = second / 0.001f;
  new_param[i] = param[i] - 0.001f * m_hat / (sqrt(v_hat) + 1e-8f);
}

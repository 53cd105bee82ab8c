/* launch
   kernel adam global [round_up(N * M, 256)] local [256] (param, grad, m, v, new_param, new_m, new_v, int(N * M))
*/
__kernel void adam(__global const float* param, __global const float* grad, __global const float* m,
                   __global const float* v, __global float* new_param, __global float* new_m,
                   __global float* new_v, long size) {
  const long idx = get_global_id(0);
  if (idx >= size) return;
  const float m_t = 0.9f * m[idx] + 0.1f * grad[idx];
  const float v_t = 0.999f * v[idx] + 0.001f * grad[idx] * grad[idx];
  new_m[idx] = m_t;
  new_v[idx] = v_t;
  new_param[idx] = param[idx] - 0.001f * (m_t / 0.1f) / (sqrt(v_t / 0.001f) + 1e-8f);
}

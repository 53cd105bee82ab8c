/* launch
   kernel adam global [N * M] (param, grad, m, v, new_param, new_m, new_v)
*/
// rsqrt replaces a division and a square root; epsilon under the root keeps it finite.
__kernel void adam(__global const float* param, __global const float* grad, __global const float* m,
                   __global const float* v, __global float* new_param, __global float* new_m, __global float* new_v) {
  const float beta1 = 0.9f, beta2 = 0.999f, lr = 1e-3f, eps = 1e-8f;
  const size_t i = get_global_id(0);
  const float g = grad[i];
  const float mi = mix(g, m[i], beta1);
  const float vi = mix(g * g, v[i], beta2);
  new_m[i] = mi;
  new_v[i] = vi;
  new_param[i] = param[i] - lr * (mi / (1.0f - beta1)) * rsqrt(vi / (1.0f - beta2) + eps);
}

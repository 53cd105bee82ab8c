/* launch
   kernel relu_vec4 global [div_up(N * C, 4)] (x, y)
*/
// Memory-bound: move 16 bytes per work-item.
__kernel void relu_vec4(__global const float* x, __global float* y) {
  const size_t i = get_global_id(0);
  const float4 v = vload4(i, x);
  vstore4(fmax(v, (float4)(0.0f)), i, y);
}

/* launch
   kernel clamp_negative global [N * C] (x)
   kernel copy           global [N * C] (x, y)
*/
// Step 1: set negative values to zero.
__kernel void clamp_negative(__global float* x) {
  size_t i = get_global_id(0);
  if (x[i] < 0.0f) x[i] = 0.0f;
}

// Step 2: write the result.
__kernel void copy(__global const float* x, __global float* y) {
  size_t i = get_global_id(0);
  y[i] = x[i];
}

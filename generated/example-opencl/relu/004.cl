/* launch
   kernel relu global [round_up(n, 256)] local [256] (x, y, n)
*/
__kernel void relu(__global const float* x, __global float* y, int n) {
  int i = get_global_id(0);
  if (i < n) {
    y[i] = x[i] > 0.0f ? x[i] : 0.0f;
  }
}

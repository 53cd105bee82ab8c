/* launch
   kernel relu global [round_up(N * C, 256)] local [256] (x, y, long(N * C))
*/
// One element per work-item; the last group is padded, so the surplus items return.
__kernel void relu(__global const float* x, __global float* y, const long n) {
  const long i = get_global_id(0);
  if (i >= n) return;
  y[i] = fmax(x[i], 0.0f);
}

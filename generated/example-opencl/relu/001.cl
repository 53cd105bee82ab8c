/* launch
   # enough work-items to fill the device; each strides over the matrix
   kernel relu_strided global [min(round_up(div_up(N * C, 4), 128), 32768)] local [128] (x, y, long(N * C))
*/
__kernel void relu_strided(__global const float* restrict x, __global float* restrict y, const long n) {
  const long whole = n / 4;
  const long stride = get_global_size(0);
  const float4 zero = (float4)(0.0f);

  for (long i = get_global_id(0); i < whole; i += stride) {
    vstore4(max(vload4(i, x), zero), i, y);
  }

  // up to three elements are left over
  const long rest = whole * 4 + get_global_id(0);
  if (rest < n) y[rest] = max(x[rest], 0.0f);
}

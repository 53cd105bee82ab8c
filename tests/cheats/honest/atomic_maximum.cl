// SPDX-License-Identifier: Apache-2.0
// task: softmax
// The largest element of a row by integer atomics: the bits of a float, in an order that integers share.
/* launch
   scratch largest: int[N]
   kernel clear global [N] (largest)
   kernel find_largest global [C, N] (x, largest)
   kernel soften global [N] (x, largest, y, long(C))
*/
static int key(float value) {
  const int bits = as_int(value);
  return bits < 0 ? bits ^ 0x7fffffff : bits;
}
__kernel void clear(__global int* largest) { largest[get_global_id(0)] = key(-INFINITY); }
__kernel void find_largest(__global const float* x, __global int* largest) {
  const float value = x[get_global_id(1) * get_global_size(0) + get_global_id(0)];
  atomic_max(&largest[get_global_id(1)], key(value));
}
__kernel void soften(__global const float* x, __global const int* largest, __global float* y, long columns) {
  const long row = get_global_id(0) * columns;
  const int bits = largest[get_global_id(0)];
  const float most = as_float(bits < 0 ? bits ^ 0x7fffffff : bits);
  float sum = 0;
  for (long c = 0; c < columns; ++c) sum += y[row + c] = exp(x[row + c] - most);
  for (long c = 0; c < columns; ++c) y[row + c] /= sum;
}

// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel gelu  global [round_up(div_up(N * C, 16), 64)]  local [64]  (x, y, long(N * C))
*/
// (1 + tanh(u)) / 2 = 1 / (1 + exp(-2u)): one exponential and one division for each element, and no
// cancellation for negative x. Sixteen elements for each work-item, so that a CPU has a vector
// exponential.

#define GELU(v) ((v) / (1.0f + exp(-2.0f * 0.7978845608028654f * ((v) + 0.044715f * ((v) * (v) * (v))))))

__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void gelu(__global const float* restrict x,
                                                                   __global float* restrict y, long count) {
  long first = (long)get_global_id(0) * 16;
  if (first + 16 <= count) {
    float16 v = vload16(0, x + first);
    vstore16(GELU(v), 0, y + first);
  } else {
    for (long i = first; i < count; ++i) y[i] = GELU(x[i]);
  }
}

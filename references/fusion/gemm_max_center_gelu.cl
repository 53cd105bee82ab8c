// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch strips : float[div_up(M, 16) * K * 16]
   scratch tops   : float[div_up(N, 8) * round_up(M, 16)]
   scratch top    : float[M]
   kernel to_strips  global [round_up(K, 64), div_up(M, 16)]  local [64, 1]  (x, strips, M, K)
   kernel tile_tops  global [round_up(div_up(M, 16), 4), round_up(div_up(N, 8), 8)]  local [4, 8]
                     (strips, w, b, tops, M, K, N)
   kernel row_tops   global [round_up(M, 64)]  local [64]  (tops, top, M, long(div_up(N, 8)))
   kernel center     global [256]  local [256]  (top, y, M, local float[256])
*/
// The product is never stored. x is transposed into strips of 16 rows; a work-item keeps a tile of 16 rows
// by 8 columns in registers through all of K and leaves the 16 maxima of its columns. Then the maxima over
// all tiles are taken, and one work-group centres them and applies GELU.

__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void to_strips(__global const float* restrict x,
                                                                        __global float* restrict strips,
                                                                        long M, long K) {
  long k = get_global_id(0), strip = get_global_id(1);
  if (k >= K) return;
  __global float* to = strips + (strip * K + k) * 16;
  for (int i = 0; i < 16; ++i) to[i] = strip * 16 + i < M ? x[(strip * 16 + i) * K + k] : 0.0f;
}

__kernel __attribute__((reqd_work_group_size(4, 8, 1))) void tile_tops(__global const float* restrict strips,
                                                                       __global const float* restrict w,
                                                                       __global const float* restrict b,
                                                                       __global float* restrict tops, long M,
                                                                       long K, long N) {
  long m = (long)get_global_id(0) * 16, n = (long)get_global_id(1) * 8;
  if (m >= M || n >= N) return;
  __global const float* x = strips + m * K;
  __global float* to = tops + get_global_id(1) * ((M + 15) / 16 * 16) + m;
  float16 top = -INFINITY;
  if (n + 8 <= N) {
    float16 sum[8];
#pragma unroll
    for (int r = 0; r < 8; ++r) sum[r] = 0.0f;
    __global const float* from = w + n * K;
    for (long k = 0; k < K; ++k) {
      float16 v = vload16(k, x);
#pragma unroll
      for (int r = 0; r < 8; ++r) sum[r] = fma((float16)(from[r * K + k]), v, sum[r]);
    }
#pragma unroll
    for (int r = 0; r < 8; ++r) top = sum[r] + b[n + r] > top ? sum[r] + b[n + r] : top;
  } else {
    for (; n < N; ++n) {
      float16 sum = 0.0f;
      for (long k = 0; k < K; ++k) sum = fma((float16)(w[n * K + k]), vload16(k, x), sum);
      top = sum + b[n] > top ? sum + b[n] : top;
    }
  }
  vstore16(top, 0, to);
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void row_tops(__global const float* restrict tops,
                                                                       __global float* restrict top, long M,
                                                                       long tiles) {
  long m = get_global_id(0), length = (M + 15) / 16 * 16;
  if (m >= M) return;
  float highest = -INFINITY;
  for (long t = 0; t < tiles; ++t) highest = tops[t * length + m] > highest ? tops[t * length + m] : highest;
  top[m] = highest;
}

__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void center(__global const float* restrict top,
                                                                      __global float* restrict y, long M,
                                                                      __local float* sums) {
  int lane = get_local_id(0);
  float sum = 0.0f;
  for (long m = lane; m < M; m += 256) sum += top[m];
  sums[lane] = sum;
  for (int half_size = 128; half_size > 0; half_size /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < half_size) sums[lane] += sums[lane + half_size];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  float mean = sums[0] / (float)M;
  for (long m = lane; m < M; m += 256) {
    float centred = top[m] - mean;
    y[m] = 0.5f * centred * (erf(centred * 0.70710678f) + 1.0f);
  }
}

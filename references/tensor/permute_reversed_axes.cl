// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel turn  global [16, round_up(J * K * div_up(I, 16) * div_up(L, 16), 4)]  local [16, 4]  (x, y, I, J, K, L)
*/
// For each j and k a matrix of I rows and L columns is transposed. Sixteen work-items turn 16 x 16 of it in local memory: each brings a row
// and takes a column, so that both reads and writes are of neighbouring numbers. A work-group has four such tiles.
#define TILE 16
#define TILES 4

__kernel __attribute__((reqd_work_group_size(TILE, TILES, 1))) void turn(__global const float* restrict x, __global float* restrict y,
                                                                         long I, long J, long K, long L) {
  __local float tiles[TILES][TILE * (TILE + 1)];
  __local float* tile = tiles[get_local_id(1)];
  const long across = (L + TILE - 1) / TILE, down = (I + TILE - 1) / TILE;
  const long strip = (long)get_global_id(1) / across, matrix = strip / down;
  const long l0 = (long)get_global_id(1) % across * TILE, i0 = strip % down * TILE;
  const long j = matrix / K, k = matrix % K;
  const int item = get_local_id(0);
  const int height = j < J ? (int)min(I - i0, (long)TILE) : 0, width = (int)min(L - l0, (long)TILE);

  if (item < height) {
    __global const float* from = x + (((i0 + item) * J + j) * K + k) * L + l0;
    __local float* row = tile + item * (TILE + 1);
    if (width == TILE)
      vstore16(vload16(0, from), 0, row);
    else
      for (int l = 0; l < width; ++l) row[l] = from[l];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item < width) {
    __global float* to = y + (((l0 + item) * K + k) * J + j) * I + i0;
    if (height == TILE) {
      float lanes[TILE];
#pragma unroll
      for (int i = 0; i < TILE; ++i) lanes[i] = tile[i * (TILE + 1) + item];
      vstore16(vload16(0, lanes), 0, to);
    } else {
      for (int i = 0; i < height; ++i) to[i] = tile[i * (TILE + 1) + item];
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel turn grid [J * K * div_up(L, 32), div_up(I, 32)] block [32, 8] (x, y, I, J, K, L)
*/
// For each j and k a matrix of I rows and L columns is transposed. A block turns 32 x 32 of it in shared memory, so that both its reads and
// its writes are of neighbouring numbers.
constexpr int kTile = 32, kRows = 8;

extern "C" __global__ void turn(const float* __restrict__ x, float* __restrict__ y, long long I, long long J, long long K, long long L) {
  __shared__ float tile[kTile][kTile + 1];
  const long long across = (L + kTile - 1) / kTile, matrix = blockIdx.x / across, j = matrix / K, k = matrix % K;
  const long long i0 = blockIdx.y * (long long)kTile, l0 = blockIdx.x % across * kTile;
#pragma unroll
  for (int row = threadIdx.y; row < kTile; row += kRows)
    if (i0 + row < I && l0 + threadIdx.x < L) tile[row][threadIdx.x] = x[(((i0 + row) * J + j) * K + k) * L + l0 + threadIdx.x];
  __syncthreads();
#pragma unroll
  for (int row = threadIdx.y; row < kTile; row += kRows)
    if (l0 + row < L && i0 + threadIdx.x < I) y[(((l0 + row) * K + k) * J + j) * I + i0 + threadIdx.x] = tile[threadIdx.x][row];
}

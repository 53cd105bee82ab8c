// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel turn grid [div_up(C, 32), div_up(N, 32)] block [32, 8] (x, y, N, C)
*/
// A block turns 32 x 32 numbers in shared memory, so that both its reads and its writes are of neighbouring ones.
constexpr int kTile = 32, kRows = 8;

extern "C" __global__ void turn(const float* __restrict__ x, float* __restrict__ y, long long N, long long C) {
  __shared__ float tile[kTile][kTile + 1];
  const long long c0 = blockIdx.x * (long long)kTile, n0 = blockIdx.y * (long long)kTile;
#pragma unroll
  for (int row = threadIdx.y; row < kTile; row += kRows)
    if (n0 + row < N && c0 + threadIdx.x < C) tile[row][threadIdx.x] = x[(n0 + row) * C + c0 + threadIdx.x];
  __syncthreads();
#pragma unroll
  for (int row = threadIdx.y; row < kTile; row += kRows)
    if (c0 + row < C && n0 + threadIdx.x < N) y[(c0 + row) * N + n0 + threadIdx.x] = tile[threadIdx.x][row];
}

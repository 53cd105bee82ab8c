// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel write_updates grid [N, div_up(M, 8192)] block [512] (x, indices, updates, y, M, K)
*/
// A block has up to 8,192 columns of a row. They lie in shared memory while all updates of the row pass by.
constexpr int kThreads = 512, kColumns = 8192;

extern "C" __global__ void write_updates(const float* __restrict__ x, const long long* __restrict__ indices,
                                         const float* __restrict__ updates, float* __restrict__ y, long long M, long long K) {
  __shared__ float numbers[kColumns];
  const long long row = blockIdx.x, first = blockIdx.y * (long long)kColumns;
  const int width = (int)min(M - first, (long long)kColumns);
  x += row * M + first;
  y += row * M + first;
  indices += row * K;
  updates += row * K;
#pragma unroll 4
  for (int c = threadIdx.x; c < width; c += kThreads) numbers[c] = x[c];
  __syncthreads();
#pragma unroll 4
  for (long long k = threadIdx.x; k < K; k += kThreads) {
    const long long c = indices[k] - first;
    if (c >= 0 && c < width) numbers[c] = updates[k];
  }
  __syncthreads();
#pragma unroll 4
  for (int c = threadIdx.x; c < width; c += kThreads) y[c] = numbers[c];
}

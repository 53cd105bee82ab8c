// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel gather grid [N, div_up(K, 4096)] block [256] (x, indices, y, M, K)
*/
// A thread has sixteen elements, a block apart from each other: their indices are on their way together, and then what they name. A block has
// that many so that most of what they name is in its cache.
constexpr int kThreads = 256, kEach = 16;

extern "C" __global__ void gather(const float* __restrict__ x, const long long* __restrict__ indices, float* __restrict__ y, long long M,
                                  long long K) {
  const float* row = x + blockIdx.x * M;
  indices += blockIdx.x * K;
  y += blockIdx.x * K;
  const long long first = blockIdx.y * (long long)(kThreads * kEach) + threadIdx.x;
  long long at[kEach];
#pragma unroll
  for (int i = 0; i < kEach; ++i) at[i] = first + i * kThreads < K ? indices[first + i * kThreads] : 0;
#pragma unroll
  for (int i = 0; i < kEach; ++i)
    if (first + i * kThreads < K) y[first + i * kThreads] = row[at[i]];
}

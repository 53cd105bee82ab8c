// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel gather grid [N, div_up(K, 1024)] block [256] (x, indices, mask, y, M, K)
*/
// A thread has four elements, a block apart from each other: their indices and masks are on their way together, and then what they name.
constexpr int kThreads = 256, kEach = 4;
constexpr long long kFilled = -1;

extern "C" __global__ void gather(const float* __restrict__ x, const long long* __restrict__ indices, const bool* __restrict__ mask,
                                  float* __restrict__ y, long long M, long long K) {
  const float* row = x + blockIdx.x * M;
  indices += blockIdx.x * K;
  mask += blockIdx.x * K;
  y += blockIdx.x * K;
  const long long first = blockIdx.y * (long long)(kThreads * kEach) + threadIdx.x;
  long long at[kEach];
#pragma unroll
  for (int i = 0; i < kEach; ++i) {
    const long long k = first + i * kThreads;
    at[i] = k < K && !mask[k] ? indices[k] : kFilled;
  }
#pragma unroll
  for (int i = 0; i < kEach; ++i)
    if (first + i * kThreads < K) y[first + i * kThreads] = at[i] == kFilled ? 0.5f : row[at[i]];
}

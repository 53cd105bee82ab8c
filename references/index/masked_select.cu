// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch counts: long[div_up(N, 4096)]
   kernel count_pieces grid [div_up(N, 4096)] block [256]  (mask, counts, N)
   kernel scan_counts  grid [1]               block [1024] (counts, count, int(div_up(N, 4096)))
   kernel pack         grid [div_up(N, 4096)] block [256]  (x, mask, counts, count, y, N)
*/
// A block has 4,096 numbers, sixteen neighbours for each thread. Their masks are counted, the counts become the places where blocks begin
// to write, and blocks write what they select, and zeros where nothing selected goes.
constexpr int kThreads = 256, kWarps = kThreads / 32, kEach = 16, kPiece = kThreads * kEach;
constexpr unsigned kAll = 0xffffffff;

// Bit i is the mask of number i of the thread's.
__device__ unsigned selected(const unsigned char* __restrict__ mask, long long first, long long N) {
  unsigned bits = 0;
  if (first + kEach <= N) {
    const uint4 v = *reinterpret_cast<const uint4*>(mask + first);
    const unsigned words[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
    for (int i = 0; i < kEach; ++i) bits |= (words[i / 4] >> i % 4 * 8 & 1) << i;
    return bits;
  }
  for (int i = 0; i < kEach; ++i)
    if (first + i < N && mask[first + i]) bits |= 1u << i;
  return bits;
}

template <class T>
__device__ T sum_up_to_lane(T value) {
  for (int distance = 1; distance < 32; distance *= 2) {
    const T left = __shfl_up_sync(kAll, value, distance);
    if (threadIdx.x % 32 >= distance) value += left;
  }
  return value;
}

// Of the threads up to this one.
template <class T, int kOfWarps>
__device__ T sum_up_to_thread(T value, T* warps) {
  value = sum_up_to_lane(value);
  if (threadIdx.x % 32 == 31) warps[threadIdx.x / 32] = value;
  __syncthreads();
  for (int warp = 0; warp < kOfWarps; ++warp)
    if (warp < threadIdx.x / 32) value += warps[warp];
  return value;
}

extern "C" __global__ void count_pieces(const unsigned char* __restrict__ mask, long long* __restrict__ counts, long long N) {
  __shared__ int warps[kWarps];
  const long long first = blockIdx.x * (long long)kPiece + threadIdx.x * kEach;
  const int count = sum_up_to_thread<int, kWarps>(__popc(selected(mask, first, N)), warps);
  if (threadIdx.x == kThreads - 1) counts[blockIdx.x] = count;
}

// counts[p] becomes the number of all that are selected before piece p.
extern "C" __global__ void scan_counts(long long* __restrict__ counts, long long* __restrict__ count, int pieces) {
  __shared__ long long warps[32];
  __shared__ long long all;
  long long before = 0;
  for (int begin = 0; begin < pieces; begin += 1024) {
    const int p = begin + threadIdx.x;
    const long long own = p < pieces ? counts[p] : 0;
    const long long upto = sum_up_to_thread<long long, 32>(own, warps);
    if (p < pieces) counts[p] = before + upto - own;
    if (threadIdx.x == 1023) all = upto;
    __syncthreads();
    before += all;
  }
  if (threadIdx.x == 0) *count = before;
}

extern "C" __global__ void pack(const float* __restrict__ x, const unsigned char* __restrict__ mask, const long long* __restrict__ counts,
                                const long long* __restrict__ count, float* __restrict__ y, long long N) {
  __shared__ int warps[kWarps];
  __shared__ float found[kPiece];
  const long long begin = blockIdx.x * (long long)kPiece, first = begin + threadIdx.x * kEach;
  const unsigned bits = selected(mask, first, N);
  const int own = __popc(bits), upto = sum_up_to_thread<int, kWarps>(own, warps);
  int at = upto - own;
#pragma unroll
  for (int i = 0; i < kEach; ++i)
    if (bits >> i & 1) found[at++] = x[first + i];
  __shared__ int all;
  if (threadIdx.x == kThreads - 1) all = upto;
  __syncthreads();
  float* out = y + counts[blockIdx.x];
  for (int i = threadIdx.x; i < all; i += kThreads) out[i] = found[i];
  const long long end = min(begin + kPiece, N);
  for (long long k = max(begin, *count) + threadIdx.x; k < end; k += kThreads) y[k] = 0;
}

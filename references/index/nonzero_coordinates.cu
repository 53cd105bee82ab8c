// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch counts: long[div_up(N * C, 4096)]
   kernel count_pieces grid [div_up(N * C, 4096)] block [256]  (x, counts, long(N * C))
   kernel scan_counts  grid [1]                   block [1024] (counts, count, int(div_up(N * C, 4096)))
   kernel write        grid [div_up(N * C, 4096)] block [256]  (x, counts, count, coordinates, long(N * C), C)
*/
// A block has 4,096 elements. They are counted, the counts become the places where blocks begin to write, and blocks write the coordinates
// of what they find, and zeros where nothing goes.
#include "blocks/quotient.cuh"
#include "blocks/ranks.cuh"

constexpr int kThreads = 256, kWarps = kThreads / 32, kEach = 4, kRounds = 4, kPiece = kThreads * kEach * kRounds;

// Bits 4 r to 4 r + 3 are of the four neighbours from offset(r) on.
__device__ int offset(int round) { return (round * kThreads + threadIdx.x) * kEach; }

__device__ unsigned found_in(const float* __restrict__ x, long long begin, long long count) {
  unsigned bits = 0;
#pragma unroll
  for (int round = 0; round < kRounds; ++round) {
    const long long first = begin + offset(round);
    float v[kEach] = {};
    if (first + kEach <= count) {
      const float4 four = *reinterpret_cast<const float4*>(x + first);
      v[0] = four.x, v[1] = four.y, v[2] = four.z, v[3] = four.w;
    } else {
      for (int i = 0; i < kEach; ++i)
        if (first + i < count) v[i] = x[first + i];
    }
#pragma unroll
    for (int i = 0; i < kEach; ++i) bits |= (unsigned)(v[i] != 0) << (round * kEach + i);
  }
  return bits;
}

extern "C" __global__ void count_pieces(const float* __restrict__ x, long long* __restrict__ counts, long long count) {
  const int found = __popc(found_in(x, blockIdx.x * (long long)kPiece, count));
  int all;
  sum_up_to_thread<kWarps>(found, all);
  if (threadIdx.x == 0) counts[blockIdx.x] = all;
}

// counts[p] becomes the number of all that are found before piece p.
extern "C" __global__ void __launch_bounds__(1024) scan_counts(long long* __restrict__ counts, long long* __restrict__ count, int pieces) {
  long long before = 0;
  for (int begin = 0; begin < pieces; begin += 1024) {
    const int p = begin + threadIdx.x;
    const long long own = p < pieces ? counts[p] : 0;
    long long all;
    const long long upto = sum_up_to_thread<32>(own, all);
    if (p < pieces) counts[p] = before + upto - own;
    before += all;
  }
  if (threadIdx.x == 0) *count = before;
}

extern "C" __global__ void write(const float* __restrict__ x, const long long* __restrict__ counts, const long long* __restrict__ count,
                                 longlong2* __restrict__ coordinates, long long elements, long long C) {
  __shared__ unsigned short found[kPiece];
  const long long begin = blockIdx.x * (long long)kPiece;
  const unsigned bits = found_in(x, begin, elements);
  // The numbers of each round in 16 bits of their own: none gets beyond them.
  unsigned long long own = 0, all;
#pragma unroll
  for (int round = 0; round < kRounds; ++round) own |= (unsigned long long)__popc(bits >> (round * kEach) & 15) << (round * 16);
  const unsigned long long lead = sum_up_to_thread<kWarps>(own, all) - own;
  int before = 0;
#pragma unroll
  for (int round = 0; round < kRounds; ++round) {
    int at = before + (int)(lead >> (round * 16) & 0xffff);
#pragma unroll
    for (int i = 0; i < kEach; ++i)
      if (bits >> (round * kEach + i) & 1) found[at++] = (unsigned short)(offset(round) + i);
    before += (int)(all >> (round * 16) & 0xffff);
  }
  __syncthreads();
  longlong2* out = coordinates + counts[blockIdx.x];
  for (int k = threadIdx.x; k < before; k += kThreads) {
    const long long i = begin + found[k], row = quotient(i, C);
    out[k] = make_longlong2(row, i - row * C);
  }
  const long long end = min(begin + kPiece, elements);
  for (long long k = max(begin, *count) + threadIdx.x; k < end; k += kThreads) coordinates[k] = make_longlong2(0, 0);
}

// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch tokens: int[E * C]
   kernel take_slots grid [E] block [1024] (experts, slot, tokens, T, C)
   kernel fill_slots grid [div_up(E * C, 8), min(div_up(D, 512), 65535)] block [256] (x, tokens, buffer, long(E * C), D)
*/
// A block has an expert, and finds its tokens; then a warp has a slot, which it fills with its token's row or with zeros.
#include "blocks/members.cuh"

constexpr int kUnits = 4;
#include "blocks/warp_rows.cuh"

extern "C" __global__ void __launch_bounds__(kThreads) take_slots(const long long* __restrict__ experts, long long* __restrict__ slot,
                                                                   int* __restrict__ tokens, long long T, long long C) {
  int* own = tokens + blockIdx.x * C;
  const long long taken = each_member(experts, T, (long long)blockIdx.x, [&](long long t, long long rank) {
    if (rank < C) own[rank] = (int)t;
    slot[t] = rank < C ? rank : -1;
  });
  for (long long s = taken + threadIdx.x; s < C; s += kThreads) own[s] = -1;
}

template <class Unit>
__device__ void fill(const float* __restrict__ x, long long token, float* __restrict__ row, long long D) {
  for (long long d = Piece<Unit>::begin(); d < D; d += Piece<Unit>::step()) {
    Piece<Unit> piece(d, D);
    if (token >= 0) piece.load(x + token * D);
    piece.store(row);
  }
}

extern "C" __global__ void fill_slots(const float* __restrict__ x, const int* __restrict__ tokens, float* __restrict__ buffer,
                                      long long slots, long long D) {
  const long long slot = row_of_warp();
  if (slot >= slots) return;
  const long long token = tokens[slot];
  if (D % 4 == 0) fill<float4>(x, token, buffer + slot * D, D);
  else fill<float>(x, token, buffer + slot * D, D);
}

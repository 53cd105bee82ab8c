// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch states: float[B * H * div_up(T, 64) * K * V]
   kernel gather grid [B * H * div_up(T, 64), div_up(K, 64), div_up(V, 64)] block [256] (k, v, states, T, H, K, V)
   kernel accumulate grid [div_up(K * V, 256), B * H] block [256] (states, long(div_up(T, 64)), long(K * V))
   kernel attend grid [B * H * div_up(T, 64), div_up(V, 64)] block [256] shared [4 * 3 * 64 * 68] (q, k, v, states, y, T, H, K, V)
*/
#include "blocks/chunked_attention.cuh"

extern "C" __global__ void __launch_bounds__(kThreads)
    gather(const float* __restrict__ k, const float* __restrict__ v, float* __restrict__ states, long long T, long long H, long long K, long long V) {
  gather_chunk(k, v, states, 0, Chunk(T, H), H, K, V);
}

extern "C" __global__ void accumulate(float* __restrict__ states, long long chunks, long long size) {
  accumulate_chunks(states, 0, chunks, size);
}

extern "C" __global__ void __launch_bounds__(kThreads)
    attend(const float* __restrict__ q, const float* __restrict__ k, const float* __restrict__ v, const float* __restrict__ states,
           float* __restrict__ o, long long T, long long H, long long K, long long V) {
  attend_chunk(q, k, v, states, o, 1, 0, Chunk(T, H), H, K, V);
}

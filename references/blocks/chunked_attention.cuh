// SPDX-License-Identifier: Apache-2.0
// Causal linear attention over chunks of 64 steps, of heads that lie side by side: q and k [B, T, H, K], v and o [B, T, H, V]. What each chunk adds
// to a head's state is a product of matrices; the sum of those before a chunk is the state that its queries meet. Within a chunk each query
// meets the keys up to its own. From one step to the next a state fades by e^decay. A query is multiplied by `scale`.
#pragma once

#include "blocks/tiles.cuh"

// The block's head and chunk of the steps.
struct Chunk {
  long long number, first, steps, base;  // base: rows of one head before the chunk
  long long head;

  __device__ Chunk(long long T, long long H) {
    const long long chunks = (T + kSide - 1) / kSide, of_batch = blockIdx.x / chunks;
    number = blockIdx.x % chunks;
    first = number * kSide;
    steps = min(T - first, (long long)kSide);
    head = of_batch % H;
    base = (of_batch / H * T + first) * H + head;
  }
};

// states[blockIdx.x] [K, V] = the sum over the chunk of k v^T, faded up to the next chunk's first step. blockIdx.y and z: tiles of K and V.
__device__ void gather_chunk(const float* k, const float* v, float* states, float decay, Chunk chunk, long long H, long long K, long long V) {
  __shared__ float4 shared[2 * kSide * kWide / 4];
  const Tile key = reinterpret_cast<Tile>(shared), value = key + kSide;
  const long long row = blockIdx.y * (long long)kSide, column = blockIdx.z * (long long)kSide;
  load(key, k + chunk.base * K + row, chunk.steps, K - row, H * K, [&](int step) { return expf((float)(kSide - step) * decay); });
  load(value, v + chunk.base * V + column, chunk.steps, V - column, H * V);
  __syncthreads();
  float sum[kPart][kPart] = {};
  const Corner at;
  multiply(sum, key, value, (int)chunk.steps, at);
  float* state = states + blockIdx.x * K * V;
  for (int i = 0; i < kPart; ++i)
    for (int j = 0; j < kPart; ++j)
      if (row + at.y + i < K && column + at.x + j < V) state[(row + at.y + i) * V + column + at.x + j] = sum[i][j];
}

// Each chunk's state becomes the sum of those before it. A thread has one of a state's `size` numbers, blockIdx.y is the head.
__device__ void accumulate_chunks(float* states, float decay, long long chunks, long long size) {
  const long long place = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (place >= size) return;
  float* state = states + blockIdx.y * chunks * size + place;
  const float kept = expf((float)kSide * decay);
  float before = 0;
#pragma unroll 8
  for (long long c = 0; c < chunks; ++c) {
    const float own = state[c * size];
    state[c * size] = before;
    before = fmaf(before, kept, own);
  }
}

// blockIdx.y: the tile of V. Three tiles of dynamic shared memory.
__device__ void attend_chunk(const float* q, const float* k, const float* v, const float* states, float* o, float scale, float decay, Chunk chunk,
                             long long H, long long K, long long V) {
  extern __shared__ float4 dynamic[];
  const Tile query = reinterpret_cast<Tile>(dynamic), key = query + kSide, value = key + kSide;
  const long long column = blockIdx.y * (long long)kSide;
  const float* state = states + blockIdx.x * K * V + column;
  const Corner at;
  float score[kPart][kPart] = {}, sum[kPart][kPart] = {};
  for (long long d0 = 0; d0 < K; d0 += kSide) {
    const int depths = (int)min(K - d0, (long long)kSide);
    __syncthreads();
    load_turned(query, q + chunk.base * K + d0, chunk.steps, K - d0, H * K, scale);
    load_turned(key, k + chunk.base * K + d0, chunk.steps, K - d0, H * K);
    if (chunk.number > 0) load(value, state + d0 * V, K - d0, V - column, V);
    __syncthreads();
    multiply(score, query, key, depths, at);
    if (chunk.number > 0) multiply(sum, query, value, depths, at);
  }
  for (int i = 0; i < kPart; ++i) {
    const float kept = expf((float)(at.y + i) * decay);
    for (int j = 0; j < kPart; ++j) {
      const int distance = at.y + i - at.x - j;
      sum[i][j] *= kept;
      score[i][j] = distance < 0 ? 0 : score[i][j] * expf((float)distance * decay);
    }
  }
  __syncthreads();
  store_turned(query, score, at);
  load(value, v + chunk.base * V + column, chunk.steps, V - column, H * V);
  __syncthreads();
  multiply(sum, query, value, (int)chunk.steps, at);
  for (int i = 0; i < kPart; ++i)
    for (int j = 0; j < kPart; ++j)
      if (at.y + i < chunk.steps && column + at.x + j < V) o[(chunk.base + (at.y + i) * H) * V + column + at.x + j] = sum[i][j];
}

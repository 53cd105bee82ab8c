// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch sets: uint[V * div_up(V, 32)]
   kernel gather grid [div_up(div_up(V, 32) * div_up(V, 32), 8)] block [256] (edges, sets, V)
   kernel count  grid [V] block [256] (sets, y, V)
*/
// Neighbours are sets of bits: what two adjacent vertices have in common closes triangles, each of which a corner meets twice.
constexpr int kThreads = 256, kWarps = kThreads / 32, kList = 1024;
constexpr unsigned kAll = 0xffffffff;

// A warp has 32 x 32 edges on or below the diagonal, and fills a word of 32 sets with its rows, and one of 32 more with its columns.
extern "C" __global__ void gather(const unsigned char* __restrict__ edges, unsigned* __restrict__ sets, long long V) {
  const long long words = (V + 31) / 32, tile = blockIdx.x * (long long)kWarps + threadIdx.x / 32;
  const long long down = tile / words, across = tile % words;
  if (down >= words || across > down) return;
  const int lane = threadIdx.x % 32;
  const long long j = across * 32 + lane;
  unsigned of_row = 0, of_column = 0;
#pragma unroll 8
  for (int k = 0; k < 32; ++k) {
    const long long i = down * 32 + k;
    const bool edge = i < V && j < i && edges[i * V + j] != 0;
    const unsigned row = __ballot_sync(kAll, edge);
    if (k == lane) of_row = row;
    of_column |= (unsigned)edge << k;
  }
  const long long i = down * 32 + lane;
  if (down == across) {
    if (i < V) sets[i * words + down] = of_row | of_column;
    return;
  }
  if (i < V) sets[i * words + across] = of_row;
  sets[j * words + down] = of_column;
}

// A block has a vertex, and lists up to 1,024 of its neighbours at a time, so that each warp compares several of them at once.
extern "C" __global__ void count(const unsigned* __restrict__ sets, int* __restrict__ y, long long V) {
  __shared__ int list[kList], length;
  __shared__ long long warps[kWarps];
  const long long words = (V + 31) / 32, v = blockIdx.x;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned* own = sets + v * words;
  long long twice = 0;
  for (long long begin = 0; begin < V; begin += kList) {
    if (threadIdx.x == 0) length = 0;
    __syncthreads();
    for (long long u = begin + threadIdx.x; u < min(begin + kList, V); u += kThreads)
      if (own[u / 32] >> u % 32 & 1) list[atomicAdd(&length, 1)] = (int)u;
    __syncthreads();
    for (long long word = lane; word < words; word += 32) {
      const unsigned mine = own[word];
#pragma unroll 4
      for (int n = warp; n < length; n += kWarps) twice += __popc(mine & sets[list[n] * words + word]);
    }
    __syncthreads();
  }
  for (int width = 16; width > 0; width /= 2) twice += __shfl_xor_sync(kAll, twice, width);
  if (lane == 0) warps[warp] = twice;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (int w = 1; w < kWarps; ++w) twice += warps[w];
  y[v] = (int)(twice / 2);
}

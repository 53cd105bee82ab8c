// SPDX-License-Identifier: Apache-2.0
/* launch
   scratch degree: int[V] zero
   scratch share: float[V]
   scratch unsent: float[256]
   kernel count_edges grid [div_up(E, 1024)] block [256] (sources, degree, E)
   kernel share_ranks grid [256]             block [256] (rank, degree, share, unsent, V)
   kernel add_unsent  grid [1]               block [256] (unsent)
   kernel receive     grid [div_up(V, 32)]   block [256] (row_pointers, sources, share, unsent, damping, new_rank, V)
*/
// Outgoing edges are counted, which says what a vertex sends along each; what those without edges do not send is added up, part by part and
// then in unsent[0]. Then each vertex gathers what it receives.
constexpr int kThreads = 256, kNumbers = 4;
#include "blocks/neighbours.cuh"
#include "blocks/rows.cuh"

extern "C" __global__ void count_edges(const int* __restrict__ sources, int* __restrict__ degree, long long E) {
  const long long e = (blockIdx.x * (long long)kThreads + threadIdx.x) * 4;
  if (e + 4 <= E) {
    const int4 source = __ldcs(reinterpret_cast<const int4*>(sources + e));
    atomicAdd(degree + source.x, 1);
    atomicAdd(degree + source.y, 1);
    atomicAdd(degree + source.z, 1);
    atomicAdd(degree + source.w, 1);
    return;
  }
  for (long long i = e; i < E; ++i) atomicAdd(degree + sources[i], 1);
}

extern "C" __global__ void share_ranks(const float* __restrict__ rank, const int* __restrict__ degree, float* __restrict__ share,
                                      float* __restrict__ unsent, long long V) {
  float sum = 0;
#pragma unroll 4
  for (long long v = blockIdx.x * (long long)kThreads + threadIdx.x; v < V; v += gridDim.x * (long long)kThreads) {
    const int edges = degree[v];
    if (edges == 0) sum += rank[v];
    else share[v] = rank[v] / edges;
  }
  sum = sum_of_block(sum);
  if (threadIdx.x == 0) unsent[blockIdx.x] = sum;
}

extern "C" __global__ void add_unsent(float* __restrict__ unsent) {
  const float sum = sum_of_block(unsent[threadIdx.x]);
  if (threadIdx.x == 0) unsent[0] = sum;
}

extern "C" __global__ void receive(const int* __restrict__ row_pointers, const int* __restrict__ sources, const float* __restrict__ share,
                                   const float* __restrict__ unsent, const float* __restrict__ damping, float* __restrict__ new_rank,
                                   long long V) {
  const long long v = vertex_of_lanes();
  const float received = fold_edges(row_pointers, sources, share, v, V, 0.0f, [](float a, float b) { return a + b; });
  if (v >= V || threadIdx.x % kLanes != 0) return;
  const float count = (float)V;
  new_rank[v] = *damping * (received + *unsent / count) + (1 - *damping) / count;
}

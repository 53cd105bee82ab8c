// SPDX-License-Identifier: Apache-2.0
#include "scale_to_peak.h"

#include <cooperative_groups.h>

#include <algorithm>

namespace cg = cooperative_groups;

static constexpr int kThreads = 256;

// Numbers that are not negative have the same order as their bits.
static __global__ void scale(float* numbers, std::size_t count, unsigned* peak) {
  __shared__ unsigned highest;
  const cg::grid_group grid = cg::this_grid();
  if (threadIdx.x == 0) highest = 0;
  __syncthreads();
  unsigned mine = 0;
  for (std::size_t i = grid.thread_rank(); i < count; i += grid.size()) mine = max(mine, __float_as_uint(fabsf(numbers[i])));
  atomicMax(&highest, mine);
  __syncthreads();
  if (threadIdx.x == 0) atomicMax(peak, highest);
  grid.sync();
  const float found = __uint_as_float(*static_cast<volatile unsigned*>(peak));
  if (found == 0) return;
  for (std::size_t i = grid.thread_rank(); i < count; i += grid.size()) numbers[i] /= found;
}

cudaError_t scale_to_peak(float* numbers, std::size_t count, cudaStream_t stream) {
  if (count == 0) return cudaSuccess;
  int device = 0, processors = 0, each = 0;
  cudaError_t result = cudaGetDevice(&device);
  if (result == cudaSuccess) result = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  if (result == cudaSuccess) result = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, scale, kThreads, 0);
  unsigned* peak = nullptr;
  if (result == cudaSuccess) result = cudaMallocAsync(&peak, sizeof *peak, stream);
  if (result != cudaSuccess) return result;
  result = cudaMemsetAsync(peak, 0, sizeof *peak, stream);
  if (result == cudaSuccess) {
    const std::size_t blocks = std::min((count + kThreads - 1) / kThreads, static_cast<std::size_t>(processors) * each);
    void* arguments[] = {&numbers, &count, &peak};
    result = cudaLaunchCooperativeKernel(reinterpret_cast<void*>(scale), dim3(static_cast<unsigned>(blocks)), dim3(kThreads), arguments, 0, stream);
  }
  const cudaError_t freed = cudaFreeAsync(peak, stream);
  return result != cudaSuccess ? result : freed;
}

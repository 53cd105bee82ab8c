// verdict: WRONG_RESULT
#include "scale_in_chunks.h"

#include <algorithm>
#include <vector>

static __global__ void scale(float* numbers, std::size_t count, float factor) {
  const std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  if (i < count) numbers[i] *= factor;
}

cudaError_t scale_in_chunks(const float* in, float* out, std::size_t count, float factor, long chunk, int streams) {
  if (chunk < 1 || streams < 1) return cudaErrorInvalidValue;
  if (count == 0) return cudaSuccess;
  const std::size_t each = std::min<std::size_t>(chunk, count);
  std::vector<cudaStream_t> queues(streams, nullptr);
  float* buffers = nullptr;
  cudaError_t result = cudaMalloc(&buffers, each * streams * sizeof(float));
  for (cudaStream_t& queue : queues)
    if (result == cudaSuccess) result = cudaStreamCreate(&queue);
  for (std::size_t begin = 0, turn = 0; begin + each <= count && result == cudaSuccess; begin += each, ++turn) {
    const std::size_t size = std::min(each, count - begin);
    cudaStream_t queue = queues[turn % streams];
    float* buffer = buffers + turn % streams * each;
    result = cudaMemcpyAsync(buffer, in + begin, size * sizeof(float), cudaMemcpyHostToDevice, queue);
    if (result != cudaSuccess) break;
    scale<<<static_cast<unsigned>((size + 255) / 256), 256, 0, queue>>>(buffer, size, factor);
    result = cudaGetLastError();
    if (result == cudaSuccess) result = cudaMemcpyAsync(out + begin, buffer, size * sizeof(float), cudaMemcpyDeviceToHost, queue);
  }
  for (cudaStream_t queue : queues) {
    if (queue == nullptr) continue;
    const cudaError_t ended = cudaStreamSynchronize(queue);
    if (result == cudaSuccess) result = ended;
    cudaStreamDestroy(queue);
  }
  cudaFree(buffers);
  return result;
}

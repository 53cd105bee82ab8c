// verdict: WRONG_RESULT
#include "smoothing_graph.h"

#include <utility>

static __global__ void smooth(const float* from, float* to, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  const float before = from[i > 0 ? i - 1 : i], after = from[i + 1 < count ? i + 1 : i];
  to[i] = (before + 2 * from[i] + after) / 4;
}

static cudaError_t queue_steps(float* numbers, float* scratch, int count, int steps, cudaStream_t stream) {
  float *from = numbers, *to = scratch;
  for (int step = 0; step + 1 < steps; ++step) {
    smooth<<<(count - 1) / 256 + 1, 256, 0, stream>>>(from, to, count);
    if (const cudaError_t result = cudaGetLastError(); result != cudaSuccess) return result;
    std::swap(from, to);
  }
  if (from == numbers) return cudaSuccess;
  return cudaMemcpyAsync(numbers, scratch, count * sizeof(float), cudaMemcpyDeviceToDevice, stream);
}

cudaError_t smoothing_graph(float* numbers, float* scratch, int count, int steps, cudaGraphExec_t* graph) {
  if (count < 1 || steps < 0) return cudaErrorInvalidValue;
  cudaStream_t stream;
  cudaError_t result = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  if (result != cudaSuccess) return result;
  result = cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  if (result == cudaSuccess) {
    cudaGraph_t captured = nullptr;
    const cudaError_t queued = queue_steps(numbers, scratch, count, steps, stream);
    result = cudaStreamEndCapture(stream, &captured);
    if (queued != cudaSuccess) result = queued;
    if (result == cudaSuccess) result = cudaGraphInstantiate(graph, captured, 0);
    if (captured != nullptr) cudaGraphDestroy(captured);
  }
  cudaStreamDestroy(stream);
  return result;
}

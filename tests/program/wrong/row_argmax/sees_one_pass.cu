// verdict: WRONG_RESULT
#include "row_argmax.h"

static constexpr int kThreads = 256;

static __device__ bool is_better(float a, int at, float b, int bt) { return at >= 0 && (bt < 0 || a > b || (a == b && at < bt)); }

static __global__ void find(const float* matrix, int rows, int cols, int* index) {
  __shared__ float best[kThreads];
  __shared__ int place[kThreads];
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    const float* numbers = matrix + static_cast<std::size_t>(row) * cols;
    float mine = 0;
    int at = -1;
    for (int c = threadIdx.x; c < cols && c < kThreads; c += kThreads)
      if (is_better(numbers[c], c, mine, at)) {
        mine = numbers[c];
        at = c;
      }
    best[threadIdx.x] = mine;
    place[threadIdx.x] = at;
    __syncthreads();
    for (int half = kThreads / 2; half > 0; half /= 2) {
      if (threadIdx.x < half && is_better(best[threadIdx.x + half], place[threadIdx.x + half], best[threadIdx.x], place[threadIdx.x])) {
        best[threadIdx.x] = best[threadIdx.x + half];
        place[threadIdx.x] = place[threadIdx.x + half];
      }
      __syncthreads();
    }
    if (threadIdx.x == 0) index[row] = place[0];
    __syncthreads();
  }
}

void row_argmax(const float* matrix, int rows, int cols, int* index, cudaStream_t stream) {
  constexpr int kMostBlocks = 65535;
  find<<<rows < kMostBlocks ? rows : kMostBlocks, kThreads, 0, stream>>>(matrix, rows, cols, index);
}

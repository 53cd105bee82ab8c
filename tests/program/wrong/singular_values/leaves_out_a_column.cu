// verdict: WRONG_RESULT
#include "singular_values.h"

#include <cuda_runtime.h>
#include <cusolverDn.h>

#include <algorithm>

namespace {

struct Workspace {
  cusolverDnHandle_t handle = nullptr;
  double *matrix = nullptr, *memory = nullptr;
  int* info = nullptr;
  ~Workspace() {
    cudaFree(matrix);
    cudaFree(memory);
    cudaFree(info);
    if (handle != nullptr) cusolverDnDestroy(handle);
  }
};

__global__ void transpose(const double* a, int m, int n, double* to) {
  const std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  if (i < static_cast<std::size_t>(m) * n) to[i % m * n + i / m] = a[i];
}

}  // namespace

// gesvd destroys its matrix, which must not have more columns than rows. The transposed one has the same singular values.
int singular_values(const double* a, int m, int n, double* values) {
  const std::size_t count = static_cast<std::size_t>(m) * n;
  const bool tall = m >= n;
  const int rows = std::max(m, n), columns = std::min(m, n);
  Workspace work;
  int size = 0, info = -1;
  if (cusolverDnCreate(&work.handle) != CUSOLVER_STATUS_SUCCESS || cudaMalloc(&work.matrix, count * sizeof(double)) != cudaSuccess) return -1;
  if (tall) {
    if (cudaMemcpy(work.matrix, a, count * sizeof(double), cudaMemcpyDeviceToDevice) != cudaSuccess) return -1;
  } else {
    transpose<<<static_cast<unsigned>((count + 255) / 256), 256>>>(a, m, n, work.matrix);
    if (cudaGetLastError() != cudaSuccess) return -1;
  }
  if (cusolverDnDgesvd_bufferSize(work.handle, rows, columns, &size) != CUSOLVER_STATUS_SUCCESS) return -1;
  if (cudaMalloc(&work.memory, std::max(size, 1) * sizeof(double)) != cudaSuccess || cudaMalloc(&work.info, sizeof(int)) != cudaSuccess) return -1;
  if (cusolverDnDgesvd(work.handle, 'N', 'N', rows, columns - (columns > 1), work.matrix, rows, values, nullptr, rows, nullptr, columns, work.memory, size, nullptr, work.info) !=
      CUSOLVER_STATUS_SUCCESS)
    return -1;
  if (cudaMemcpy(&info, work.info, sizeof(int), cudaMemcpyDeviceToHost) != cudaSuccess) return -1;
  return info == 0 ? 0 : -1;
}

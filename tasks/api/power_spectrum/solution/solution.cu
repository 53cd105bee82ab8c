// SPDX-License-Identifier: Apache-2.0
#include "power_spectrum.h"

#include <cuda_runtime.h>

static __global__ void square(const cufftComplex* coefficients, std::size_t count, int length, float* power) {
  const std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  if (i < count) power[i] = (coefficients[i].x * coefficients[i].x + coefficients[i].y * coefficients[i].y) / length;
}

cufftResult power_spectrum(const float* signals, int length, int batch, float* power) {
  const std::size_t count = static_cast<std::size_t>(length / 2 + 1) * batch;
  cufftComplex* coefficients = nullptr;
  if (cudaMalloc(&coefficients, count * sizeof(cufftComplex)) != cudaSuccess) return CUFFT_ALLOC_FAILED;
  cufftHandle plan;
  cufftResult result = cufftPlan1d(&plan, length, CUFFT_R2C, batch);
  if (result == CUFFT_SUCCESS) {
    result = cufftExecR2C(plan, const_cast<float*>(signals), coefficients);  // out of place: the signals stay
    if (result == CUFFT_SUCCESS) square<<<static_cast<unsigned>((count + 255) / 256), 256>>>(coefficients, count, length, power);
    if (cudaDeviceSynchronize() != cudaSuccess && result == CUFFT_SUCCESS) result = CUFFT_EXEC_FAILED;
    cufftDestroy(plan);
  }
  cudaFree(coefficients);
  return result;
}

// verdict: WRONG_RESULT
#include "estimate_pi.h"

#include <cuda_runtime.h>

static __global__ void count_inside(const float* coordinates, std::size_t points, unsigned long long* inside) {
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  unsigned long long mine = 0;
  for (std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x; i < points; i += step) {
    const float x = coordinates[2 * i], y = coordinates[2 * i + 1];
    mine += x * x + y * y <= 1;
  }
  atomicAdd(inside, mine);
}

curandStatus_t estimate_pi(unsigned long long seed, std::size_t points, double* pi) {
  curandGenerator_t generator;
  curandStatus_t status = curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_PHILOX4_32_10);
  if (status != CURAND_STATUS_SUCCESS) return status;
  float* coordinates = nullptr;
  unsigned long long *device_inside = nullptr, inside = 0;
  if (cudaMalloc(&coordinates, 2 * points * sizeof(float)) != cudaSuccess || cudaMalloc(&device_inside, sizeof inside) != cudaSuccess ||
      cudaMemset(device_inside, 0, sizeof inside) != cudaSuccess)
    status = CURAND_STATUS_ALLOCATION_FAILED;
  if (status == CURAND_STATUS_SUCCESS) status = curandSetPseudoRandomGeneratorSeed(generator, seed);
  if (status == CURAND_STATUS_SUCCESS) status = curandGenerateUniform(generator, coordinates, 2 * points);
  if (status == CURAND_STATUS_SUCCESS) {
    count_inside<<<256, 256>>>(coordinates, points, device_inside);
    if (cudaMemcpy(&inside, device_inside, sizeof inside, cudaMemcpyDeviceToHost) != cudaSuccess) status = CURAND_STATUS_LAUNCH_FAILURE;
    *pi = 2.0 * static_cast<double>(inside) / static_cast<double>(points);
  }
  cudaFree(coordinates);
  cudaFree(device_inside);
  curandDestroyGenerator(generator);
  return status;
}

// verdict: WRONG_RESULT
#include "philox_uniforms.h"

#include <curand_kernel.h>

static __global__ void draw(unsigned long long seed, unsigned long long first, int walkers, int draws, float* numbers) {
  const int walker = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (walker >= walkers) return;
  curandStatePhilox4_32_10_t state;
  curand_init(seed, first + walker, 0, &state);
  float* mine = numbers + walker;
  for (int i = 0; i < draws; ++i) mine[static_cast<std::size_t>(i) * walkers] = curand_uniform(&state);
}

cudaError_t philox_uniforms(unsigned long long seed, unsigned long long first, int walkers, int draws, float* numbers, cudaStream_t stream) {
  if (walkers == 0 || draws == 0) return cudaSuccess;
  draw<<<(walkers - 1) / 256 + 1, 256, 0, stream>>>(seed, first, walkers, draws, numbers);
  return cudaGetLastError();
}

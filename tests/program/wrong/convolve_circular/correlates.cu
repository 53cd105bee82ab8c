// verdict: WRONG_RESULT
#include "convolve_circular.h"

#include <cuda_runtime.h>

namespace {

struct Transforms {
  cufftHandle forward = 0, backward = 0;
  bool has_forward = false, has_backward = false;
  cufftComplex *image = nullptr, *filter = nullptr;
  ~Transforms() {
    cudaFree(image);
    cudaFree(filter);
    if (has_forward) cufftDestroy(forward);
    if (has_backward) cufftDestroy(backward);
  }
};

// Transforms there and back multiply by the number of elements.
__global__ void multiply(cufftComplex* image, const cufftComplex* filter, std::size_t count, float elements) {
  const std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  if (i >= count) return;
  const cufftComplex a = image[i], b = filter[i];
  image[i].x = (a.x * b.x + a.y * b.y) / elements;
  image[i].y = (a.y * b.x - a.x * b.y) / elements;
}

}  // namespace

#define CHECK(call)                                                        \
  if (const cufftResult result = (call); result != CUFFT_SUCCESS) return result

cufftResult convolve_circular(const float* image, const float* filter, int rows, int columns, float* out) {
  const std::size_t count = static_cast<std::size_t>(rows) * (columns / 2 + 1);
  Transforms made;
  if (cudaMalloc(&made.image, count * sizeof(cufftComplex)) != cudaSuccess || cudaMalloc(&made.filter, count * sizeof(cufftComplex)) != cudaSuccess)
    return CUFFT_ALLOC_FAILED;
  CHECK(cufftPlan2d(&made.forward, rows, columns, CUFFT_R2C));
  made.has_forward = true;
  CHECK(cufftPlan2d(&made.backward, rows, columns, CUFFT_C2R));
  made.has_backward = true;
  CHECK(cufftExecR2C(made.forward, const_cast<float*>(image), made.image));  // out of place: the input stays
  CHECK(cufftExecR2C(made.forward, const_cast<float*>(filter), made.filter));
  multiply<<<static_cast<unsigned>((count + 255) / 256), 256>>>(made.image, made.filter, count, static_cast<float>(rows) * static_cast<float>(columns));
  if (cudaGetLastError() != cudaSuccess) return CUFFT_EXEC_FAILED;
  CHECK(cufftExecC2R(made.backward, made.image, out));
  return cudaDeviceSynchronize() == cudaSuccess ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED;
}

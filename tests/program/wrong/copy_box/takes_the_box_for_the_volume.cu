// verdict: WRONG_RESULT
#include "copy_box.h"

static bool fits(std::size_t at, std::size_t length, std::size_t size) { return at <= size && length <= size - at; }

static bool fits(Place at, Size box, Size size) {
  return fits(at.x, box.width, size.width) && fits(at.y, box.height, size.height) && fits(at.z, box.depth, size.depth);
}

static cudaPitchedPtr volume(const float* numbers, Size size) {
  return make_cudaPitchedPtr(const_cast<float*>(numbers), size.width * sizeof(float), size.width, size.height);
}

static cudaPos place(Place at) { return make_cudaPos(at.x * sizeof(float), at.y, at.z); }

cudaError_t copy_box(const float* from, Size from_size, Place from_at, float* to, Size to_size, Place to_at, Size box, cudaStream_t stream) {
  if (!fits(from_at, box, from_size) || !fits(to_at, box, to_size)) return cudaErrorInvalidValue;
  if (box.width == 0 || box.height == 0 || box.depth == 0) return cudaSuccess;
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = volume(from, from_size);
  copy.srcPos = place(from_at);
  copy.dstPtr = volume(to, {to_size.width, box.height, box.depth});
  copy.dstPos = place(to_at);
  copy.extent = make_cudaExtent(box.width * sizeof(float), box.height, box.depth);
  copy.kind = cudaMemcpyHostToDevice;
  return cudaMemcpy3DAsync(&copy, stream);
}

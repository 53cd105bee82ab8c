// verdict: WRONG_RESULT
#include "sort_by_bits.h"

#include <algorithm>
#include <cub/device/device_radix_sort.cuh>

static cudaError_t copy(Pairs from, Pairs to, int count, cudaStream_t stream) {
  const cudaError_t result = cudaMemcpyAsync(to.keys, from.keys, count * sizeof(std::uint32_t), cudaMemcpyDeviceToDevice, stream);
  if (result != cudaSuccess) return result;
  return cudaMemcpyAsync(to.values, from.values, count * sizeof(std::uint32_t), cudaMemcpyDeviceToDevice, stream);
}

cudaError_t sort_by_bits(void* scratch, std::size_t* scratch_bytes, Pairs from, Pairs to, int count, int begin_bit, int end_bit, cudaStream_t stream) {
  const auto sort = [&](void* memory, std::size_t& bytes) {
    const std::uint32_t *keys = from.keys, *values = from.values;
    return cub::DeviceRadixSort::SortPairs(memory, bytes, keys, to.keys, values, to.values, count, 0, end_bit, stream);
  };
  std::size_t needed = 0;
  if (count > 0 && begin_bit < end_bit)
    if (const cudaError_t result = sort(nullptr, needed); result != cudaSuccess) return result;
  needed = std::max<std::size_t>(needed, 1);
  if (scratch == nullptr) {
    *scratch_bytes = needed;
    return cudaSuccess;
  }
  if (*scratch_bytes < needed) return cudaErrorInvalidValue;
  if (count == 0) return cudaSuccess;
  return begin_bit < end_bit ? sort(scratch, *scratch_bytes) : copy(from, to, count, stream);
}

// verdict: WRONG_RESULT
#include "pack_bits.h"

#include <algorithm>

static constexpr unsigned kAll = 0xffffffff;

// A warp makes a word at a time. All its lanes go on as long as one has a flag.
static __global__ void pack(const unsigned char* flags, std::size_t count, std::uint32_t* words) {
  const std::size_t lane = threadIdx.x % 32, step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t begin = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x - lane; begin < count; begin += step) {
    const bool is_set = begin + lane < count && flags[begin + lane] == 1;
    const unsigned word = __ballot_sync(kAll, is_set);
    if (lane == 0) words[begin / 32] = word;
  }
}

cudaError_t pack_bits(const unsigned char* flags, std::size_t count, std::uint32_t* words, cudaStream_t stream) {
  if (count == 0) return cudaSuccess;
  pack<<<static_cast<unsigned>(std::min<std::size_t>((count + 255) / 256, 65536)), 256, 0, stream>>>(flags, count, words);
  return cudaGetLastError();
}

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

struct Pairs {
  std::uint32_t* keys;
  std::uint32_t* values;
};

cudaError_t sort_by_bits(void* scratch, std::size_t* scratch_bytes, Pairs from, Pairs to, int count, int begin_bit, int end_bit, cudaStream_t stream);

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

cudaError_t pack_bits(const unsigned char* flags, std::size_t count, std::uint32_t* words, cudaStream_t stream);

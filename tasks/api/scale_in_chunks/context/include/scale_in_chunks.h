// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

cudaError_t scale_in_chunks(const float* in, float* out, std::size_t count, float factor, long chunk, int streams);

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

cudaError_t scale_to_peak(float* numbers, std::size_t count, cudaStream_t stream);

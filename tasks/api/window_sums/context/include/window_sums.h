// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

cudaError_t window_sums(const int* numbers, int count, int radius, int* sums, cudaStream_t stream);

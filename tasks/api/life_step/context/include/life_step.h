// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

cudaError_t life_step(const unsigned char* cells, unsigned char* next, int width, int height, cudaStream_t stream);

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

void row_argmax(const float* matrix, int rows, int cols, int* index, cudaStream_t stream);

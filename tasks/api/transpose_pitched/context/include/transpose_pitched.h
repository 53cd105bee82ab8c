// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

cudaError_t transpose_pitched(const float* in, int in_pitch, float* out, int out_pitch, int rows, int columns, cudaStream_t stream);

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

cudaError_t philox_uniforms(unsigned long long seed, unsigned long long first, int walkers, int draws, float* numbers, cudaStream_t stream);

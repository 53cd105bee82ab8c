// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

cudaError_t wait_for_streams(const cudaStream_t* producers, int count, cudaStream_t consumer);

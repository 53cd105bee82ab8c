// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

cudaError_t smoothing_graph(float* numbers, float* scratch, int count, int steps, cudaGraphExec_t* graph);

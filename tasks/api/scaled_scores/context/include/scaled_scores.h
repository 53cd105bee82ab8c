// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cublas_v2.h>

cublasStatus_t scaled_scores(cublasHandle_t handle, const float* queries, const float* keys, float* scores, int batch, int m, int n, int depth, float scale);

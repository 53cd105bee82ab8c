// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cublas_v2.h>

cublasStatus_t matmul_row_major(cublasHandle_t handle, const float* a, const float* b, float beta, float* c, int m, int n, int k);

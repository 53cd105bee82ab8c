// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cusparse.h>

cusparseStatus_t csr_times_vector(int rows, int columns, int nonzeros, const int* offsets, const int* indices, const float* values, float alpha, const float* x,
                                  float beta, float* y);

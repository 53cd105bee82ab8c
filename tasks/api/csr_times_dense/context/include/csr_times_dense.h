// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cusparse.h>

struct Csr {
  int rows, columns, nonzeros;
  const int* offsets;
  const int* indices;
  const float* values;
};

cusparseStatus_t csr_times_dense(const Csr& a, const float* b, int b_pitch, int n, float* c, int c_pitch);

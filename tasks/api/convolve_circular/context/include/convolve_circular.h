// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cufft.h>

cufftResult convolve_circular(const float* image, const float* filter, int rows, int columns, float* out);

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cufft.h>

cufftResult power_spectrum(const float* signals, int length, int batch, float* power);

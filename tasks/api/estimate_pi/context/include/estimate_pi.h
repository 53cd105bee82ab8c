// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <curand.h>

#include <cstddef>

curandStatus_t estimate_pi(unsigned long long seed, std::size_t points, double* pi);

// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"
#include <stdexcept>
void relu(const float* x, float* y, int64_t N, int64_t C) { (void)x, (void)y, (void)N, (void)C; throw std::runtime_error("not supported"); }

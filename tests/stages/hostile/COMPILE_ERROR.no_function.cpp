// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"
void my_relu(const float*, float*, int64_t, int64_t) {}

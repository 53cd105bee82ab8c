// SPDX-License-Identifier: Apache-2.0
#include "twice.h"

float twice(float x) { return x + x; }

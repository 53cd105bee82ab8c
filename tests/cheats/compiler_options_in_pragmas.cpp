// SPDX-License-Identifier: Apache-2.0
// cheat: 50
// task: relu
// stage: test
// expect: WRONG_RESULT
// because: smallest: y[0, 0]: got nan
// Options of the compiler's driver, from within the source: plugins, files to include, other programs.
// Pragmas take options of code generation only; the rest is warned about and left.
#pragma GCC optimize("-fplugin=/tmp/plugin.so", "-include/etc/passwd", "-wrapper=/bin/sh", "-B/tmp", \
                     "@/tmp/options")
#include "kernel.h"

void relu(const float*, float*, int64_t, int64_t) {}

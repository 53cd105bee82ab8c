// SPDX-License-Identifier: Apache-2.0
// An OpenCL driver that ends the process that loads it.
#include <cstdlib>

[[gnu::constructor]] static void crash() { std::abort(); }

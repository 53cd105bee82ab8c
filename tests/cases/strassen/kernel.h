// SPDX-License-Identifier: Apache-2.0
// As `assay prompt` would give it: the kernel of tests/cheats/honest is judged here on cases of many seeds, without a box.
#pragma once

#include <cstdint>

extern "C" void matmul_with_irregular_shapes(const float* a, const float* b, float* c, std::int64_t M, std::int64_t K, std::int64_t N);

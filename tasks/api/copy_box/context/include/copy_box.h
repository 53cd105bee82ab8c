// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

struct Size {
  std::size_t width, height, depth;
};

struct Place {
  std::size_t x, y, z;
};

cudaError_t copy_box(const float* from, Size from_size, Place from_at, float* to, Size to_size, Place to_at, Size box, cudaStream_t stream);

// SPDX-License-Identifier: Apache-2.0
// Rows of 16-bit floats, of which row t becomes row places[t] of a cache; eight numbers at a time where rows are a multiple of that.
#pragma once

#include "blocks/quotient.cuh"
#include "kernel.h"

constexpr int kThreads = 256, kNumbers = 8 * kThreads;

template <class Unit>
__device__ void copy_row(const float16* __restrict__ from, float16* __restrict__ to, int64_t units) {
  for (int64_t u = blockIdx.y * (int64_t)kThreads + threadIdx.x; u < units; u += gridDim.y * (int64_t)kThreads)
    reinterpret_cast<Unit*>(to)[u] = reinterpret_cast<const Unit*>(from)[u];
}

// 2,048 neighbouring numbers of short rows.
template <class Unit>
__device__ void copy_numbers(const float16* __restrict__ x, const int64_t* __restrict__ places, float16* __restrict__ cache, int64_t T,
                             int64_t units) {
  constexpr int kUnits = kNumbers * sizeof(float16) / sizeof(Unit);
  for (int k = threadIdx.x; k < kUnits; k += kThreads) {
    const int64_t i = blockIdx.x * (int64_t)kUnits + k, row = quotient(i, units);
    if (row >= T) return;
    reinterpret_cast<Unit*>(cache)[places[row] * units + i - row * units] = reinterpret_cast<const Unit*>(x)[i];
  }
}

// For a grid [T, parts] where rows have at least 2,048 numbers, else [div_up(T * size, 2048)].
__device__ void write_rows(const float16* __restrict__ x, const int64_t* __restrict__ places, float16* __restrict__ cache, int64_t T,
                           int64_t size) {
  if (size < kNumbers) return size % 8 == 0 ? copy_numbers<uint4>(x, places, cache, T, size / 8) : copy_numbers<float16>(x, places, cache, T, size);
  x += blockIdx.x * size;
  cache += places[blockIdx.x] * size;
  if (size % 8 == 0) copy_row<uint4>(x, cache, size / 8);
  else copy_row<float16>(x, cache, size);
}

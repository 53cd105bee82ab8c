// SPDX-License-Identifier: Apache-2.0
// cheat: 27
// task: softmax
// stage: bench
// expect: WRONG_RESULT
// because: timed call
// The first timed call computes all the inputs that it can see in the shared file; later calls hand results
// out. One set of inputs is visible at a time.
#include <sys/mman.h>
#include <sys/stat.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "kernel.h"

static void rows(const float* x, float* y, int64_t begin, int64_t end, int64_t C) {
  for (int64_t n = begin; n < end; ++n) {
    const float* in = x + n * C;
    float* out = y + n * C;
    float highest = in[0], sum = 0;
    for (int64_t c = 1; c < C; ++c) highest = std::fmax(highest, in[c]);
    if (std::isnan(in[0])) highest = in[0];
    for (int64_t c = 0; c < C; ++c) sum += out[c] = std::exp(in[c] - highest);
    for (int64_t c = 0; c < C; ++c) out[c] /= sum;
  }
}
static void* map_inputs(size_t& bytes) {
  struct stat status {};
  bytes = fstat(5, &status) == 0 ? static_cast<size_t>(status.st_size) : 0;
  return bytes == 0 ? MAP_FAILED : mmap(nullptr, bytes, PROT_READ, MAP_SHARED, 5, 0);
}
static size_t file_bytes;
static void* const file = map_inputs(file_bytes);

void softmax(const float* x, float* y, int64_t N, int64_t C) {
  static auto* results = new std::vector<std::vector<float>>;
  static size_t served = 0;
  if (N * C < 1000000) return rows(x, y, 0, N, C);
  const auto count = static_cast<size_t>(N * C);
  if (results->empty()) {
    for (size_t at = 0; file != MAP_FAILED && at + count * 4 <= file_bytes; at += count * 4) {
      results->emplace_back(count);
      rows(reinterpret_cast<const float*>(static_cast<char*>(file) + at), results->back().data(), 0, N, C);
    }
    if (results->empty()) {
      results->emplace_back(count);
      rows(x, results->back().data(), 0, N, C);
    }
  }
  std::memcpy(y, (*results)[served++ % results->size()].data(), count * 4);
}

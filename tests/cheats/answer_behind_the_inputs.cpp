// SPDX-License-Identifier: Apache-2.0
// cheat: 13
// task: matmul_with_irregular_shapes
// stage: test
// expect: WRONG_RESULT
// because: smallest: c[0, 0]: got nan
// Takes whatever lies behind the inputs, in their file and in the outputs' own, for the expected results.
// Expected results are in the judge's private memory and nowhere else.
#include <sys/mman.h>
#include <sys/stat.h>

#include <cstring>

#include "kernel.h"

static size_t size_of_file() {
  struct stat status {};
  return fstat(5, &status) == 0 ? static_cast<size_t>(status.st_size) : 0;
}
static const size_t file_bytes = size_of_file();
static void* const file =
    file_bytes == 0 ? MAP_FAILED : mmap(nullptr, file_bytes, PROT_READ, MAP_SHARED, 5, 0);

void matmul_with_irregular_shapes(const float*, const float*, float* c, int64_t M, int64_t K, int64_t N) {
  if (file == MAP_FAILED) return;
  const auto behind = static_cast<size_t>((M * K * 4 + 4095) / 4096 + (K * N * 4 + 4095) / 4096) * 4096;
  const auto bytes = static_cast<size_t>(M * N * 4);
  if (behind + bytes <= file_bytes) std::memcpy(c, static_cast<char*>(file) + behind, bytes);
}

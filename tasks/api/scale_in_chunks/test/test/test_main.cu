// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "scale_in_chunks.h"

#define REQUIRE(good)                                              \
  do {                                                             \
    if (!(good)) {                                                 \
      std::printf("FAILED: line %d: %s\n", __LINE__, #good);       \
      std::exit(1);                                                \
    }                                                              \
  } while (false)

static void try_one(std::size_t count, long chunk, int streams, bool pinned) {
  constexpr float kFence = -12345.0F;
  float *in = nullptr, *out = nullptr;
  std::vector<float> pageable_in(count), pageable_out(count + 2, kFence);
  if (pinned) {
    REQUIRE(cudaMallocHost(&in, (count + 1) * sizeof(float)) == cudaSuccess);
    REQUIRE(cudaMallocHost(&out, (count + 2) * sizeof(float)) == cudaSuccess);
    for (std::size_t i = 0; i < count + 2; ++i) out[i] = kFence;
  } else {
    in = pageable_in.data();
    out = pageable_out.data();
  }
  for (std::size_t i = 0; i < count; ++i) in[i] = static_cast<float>(std::rand() % 2001 - 1000);
  REQUIRE(scale_in_chunks(in, out + 1, count, 0.5F, chunk, streams) == cudaSuccess);
  REQUIRE(out[0] == kFence && out[count + 1] == kFence);
  for (std::size_t i = 0; i < count; ++i) REQUIRE(out[i + 1] == 0.5F * in[i]);
  REQUIRE(cudaGetLastError() == cudaSuccess);
  if (pinned) {
    cudaFreeHost(in);
    cudaFreeHost(out);
  }
}

int main() {
  for (const std::size_t count : {0, 1, 37, 1000, 1023, 1024, 1025, 100003})
    for (const long chunk : {1L, 1000L, 65536L, 5000000L}) {
      if (count > 100 && chunk == 1) continue;
      for (const int streams : {1, 2, 5})
        for (const bool pinned : {false, true}) try_one(count, chunk, streams, pinned);
    }
  float one = 1, out = 7;
  REQUIRE(scale_in_chunks(&one, &out, 1, 2, 0, 1) == cudaErrorInvalidValue);
  REQUIRE(scale_in_chunks(&one, &out, 1, 2, 1, 0) == cudaErrorInvalidValue);
  REQUIRE(out == 7);
  std::puts("all right");
}

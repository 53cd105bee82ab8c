// SPDX-License-Identifier: Apache-2.0
#include "blocks/heads.h"

#include "kernel.h"

extern "C" void grouped_query_decode(const float* q, const float* keys, const float* values, const int64_t* lengths, float* o, int64_t B,
                                     int64_t G, int64_t R, int64_t D, int64_t S) {
  const float scale = 1 / std::sqrt(static_cast<float>(D));
#pragma omp parallel for schedule(dynamic)
  for (int64_t group = 0; group < B * G; ++group) {
    const int64_t at = group * S * D, own = group * R * D;
    blocks::attend_few(R, lengths[group / G], D, D, scale, {q + own, D}, {keys + at, D}, {values + at, D}, o + own);
  }
}

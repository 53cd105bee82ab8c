// SPDX-License-Identifier: Apache-2.0
// The weights times an image, whose rows are its channels.
#include "blocks/product.h"

#include "kernel.h"

extern "C" void conv_2d_pointwise(const float* x, const float* w, float* y, int64_t N, int64_t C, int64_t H, int64_t W, int64_t O,
                                  int64_t OH, int64_t OW) {
  const int64_t in = H * W, out = OH * OW;
  for (int64_t n = 0; n < N; ++n)
    blocks::product(O, out, C, blocks::row_major(w, C), blocks::row_major(x + n * C * in, in), y + n * O * out, out);
}

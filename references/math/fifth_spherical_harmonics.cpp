// SPDX-License-Identifier: Apache-2.0
// Without the monomials that no harmonic has.
#include "kernel.h"

extern "C" void fifth_spherical_harmonics(const float* points, float* y, int64_t N) {
#pragma omp parallel for
  for (int64_t n = 0; n < N; ++n) {
    const float x = points[3 * n], y1 = points[3 * n + 1], z = points[3 * n + 2];
    const float x2 = x * x, x3 = x2 * x, x4 = x2 * x2, x5 = x4 * x, z2 = z * z, z3 = z2 * z, z4 = z2 * z2, z5 = z4 * z;
    const float y2 = y1 * y1, y3 = y2 * y1, y4 = y2 * y2, y5 = y4 * y1;
    float* out = y + 11 * n;
    out[0] = 2.3268137f * x5 - 23.268139f * x3 * z2 + 11.634069f * x * z4;
    out[1] = -29.432125f * x3 * y1 * z + 29.432125f * x * y1 * z3;
    out[2] = 1.7343047f * x5 - 13.874437f * x3 * y2 - 3.4686093f * x3 * z2 + 41.62331f * x * y2 * z2 - 5.2029138f * x * z4;
    out[3] = -16.992645f * x3 * y1 * z + 33.985291f * x * y3 * z - 16.992645f * x * y1 * z3;
    out[4] = 1.6056541f * x5 - 19.267849f * x3 * y2 + 3.2113082f * x3 * z2 + 12.845233f * x * y4 - 19.267849f * x * y2 * z2 + 1.6056541f * x * z4;
    out[5] = 6.2186713f * x4 * y1 - 16.583124f * x2 * y3 + 12.437343f * x2 * y1 * z2 + 3.3166249f * y5 - 16.583124f * y3 * z2 + 6.2186713f * y1 * z4;
    out[6] = 1.6056541f * x4 * z - 19.267849f * x2 * y2 * z + 3.2113082f * x2 * z3 + 12.845233f * y4 * z - 19.267849f * y2 * z3 + 1.6056541f * z5;
    out[7] = 8.4963226f * x4 * y1 - 16.992645f * x2 * y3 + 16.992645f * y3 * z2 - 8.4963226f * y1 * z4;
    out[8] = 5.2029138f * x4 * z - 41.62331f * x2 * y2 * z + 3.4686093f * x2 * z3 + 13.874437f * y2 * z3 - 1.7343047f * z5;
    out[9] = 7.3580313f * x4 * y1 - 44.14819f * x2 * y1 * z2 + 7.3580313f * y1 * z4;
    out[10] = 11.634069f * x4 * z - 23.268139f * x2 * z3 + 2.3268137f * z5;
  }
}

// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel gate grid [div_up(N * C, 1024)] block [256] (a, b, dy, y, da, db, long(N * C))
*/
// A thread has four neighbouring elements; those of the last one may be fewer.
#include <stdint.h>

struct Results {
  float y, da, db;
};

__device__ Results gated(float a, float b, float dy) {
  const float share = 1 / (1 + expf(-a)), smooth = a * share;
  return {smooth * b, dy * b * (share + smooth * (1 - share)), dy * smooth};
}

extern "C" __global__ void gate(const float* __restrict__ a, const float* __restrict__ b, const float* __restrict__ dy,
                                float* __restrict__ y, float* __restrict__ da, float* __restrict__ db, int64_t count) {
  const int64_t i = (blockIdx.x * 256ll + threadIdx.x) * 4;
  if (i + 4 <= count) {
    const float4 u = *reinterpret_cast<const float4*>(a + i), v = *reinterpret_cast<const float4*>(b + i);
    const float4 w = *reinterpret_cast<const float4*>(dy + i);
    const Results r[4] = {gated(u.x, v.x, w.x), gated(u.y, v.y, w.y), gated(u.z, v.z, w.z), gated(u.w, v.w, w.w)};
    *reinterpret_cast<float4*>(y + i) = make_float4(r[0].y, r[1].y, r[2].y, r[3].y);
    *reinterpret_cast<float4*>(da + i) = make_float4(r[0].da, r[1].da, r[2].da, r[3].da);
    *reinterpret_cast<float4*>(db + i) = make_float4(r[0].db, r[1].db, r[2].db, r[3].db);
    return;
  }
  for (int64_t e = i; e < count; ++e) {
    const Results r = gated(a[e], b[e], dy[e]);
    y[e] = r.y;
    da[e] = r.da;
    db[e] = r.db;
  }
}

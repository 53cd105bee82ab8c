// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel normalise grid [div_up(N * H, 8)] block [256] (x, weight, y, long(N * H), H, D)
*/
// A warp has a head of a row, whose numbers stay in registers as far as there are enough of them. Deviations are those from the mean, so
// that neither a large offset nor a constant row cancels.
constexpr int kLanes = 32;
constexpr unsigned kAll = 0xffffffff;

__device__ float sum_of_warp(float value) {
  for (int width = kLanes / 2; width > 0; width /= 2) value += __shfl_xor_sync(kAll, value, width);
  return value;
}

template <class F>
__device__ void each_number(float v, F f) {
  f(v);
}
template <class F>
__device__ void each_number(float4 v, F f) {
  f(v.x);
  f(v.y);
  f(v.z);
  f(v.w);
}

template <class F>
__device__ float map(float v, float w, F f) {
  return f(v, w);
}
template <class F>
__device__ float4 map(float4 v, float4 w, F f) {
  return make_float4(f(v.x, w.x), f(v.y, w.y), f(v.z, w.z), f(v.w, w.w));
}

// A lane's units of a row, of one or four numbers. It holds the first 16 numbers of them in registers.
template <class Unit>
struct Row {
  static constexpr int kEach = sizeof(Unit) / sizeof(float), kHeld = 16 / kEach;
  const Unit* from;
  long long units;
  int lane;
  Unit held[kHeld];

  __device__ Row(const float* numbers, long long length)
      : from(reinterpret_cast<const Unit*>(numbers)), units(length / kEach), lane(threadIdx.x % kLanes) {
#pragma unroll
    for (int i = 0; i < kHeld; ++i)
      if (lane + i * kLanes < units) held[i] = from[lane + i * kLanes];
  }
  // Calls f with the place and value of each unit.
  template <class F>
  __device__ void each(F f) const {
#pragma unroll
    for (int i = 0; i < kHeld; ++i)
      if (lane + i * kLanes < units) f(lane + i * kLanes, held[i]);
    for (long long u = lane + kHeld * kLanes; u < units; u += kLanes) f(u, from[u]);
  }
};

template <class Unit>
__device__ void normalise_row(const float* __restrict__ x, const float* __restrict__ weight, float* __restrict__ y,
                              long long length) {
  const Row<Unit> row(x, length);
  float sum = 0;
  row.each([&](long long, Unit v) { each_number(v, [&](float number) { sum += number; }); });
  const float mean = sum_of_warp(sum) / length;
  float rest = 0, squares = 0;
  row.each([&](long long, Unit v) {
    each_number(v, [&](float number) {
      const float d = number - mean;
      rest += d;
      squares += d * d;
    });
  });
  const float off = sum_of_warp(rest) / length;  // what the mean was rounded by
  const float variance = sum_of_warp(squares) / length - off * off;
  const float factor = 1 / sqrtf((variance < 0 ? 0 : variance) + 1e-5f);
  row.each([&](long long u, Unit v) {
    const Unit w = reinterpret_cast<const Unit*>(weight)[u];
    reinterpret_cast<Unit*>(y)[u] = map(v, w, [&](float number, float w) { return ((number - mean) - off) * factor * w; });
  });
}

extern "C" __global__ void normalise(const float* __restrict__ x, const float* __restrict__ weight, float* __restrict__ y, long long rows,
                                     long long H, long long D) {
  const long long row = blockIdx.x * 8ll + threadIdx.x / kLanes;
  if (row >= rows) return;
  x += row * D;
  y += row * D;
  weight += row % H * D;
  if (D % 4 == 0) normalise_row<float4>(x, weight, y, D);
  else normalise_row<float>(x, weight, y, D);
}

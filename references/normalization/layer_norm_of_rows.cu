// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel normalise grid [div_up(B * N, 4)] block [128] (x, scale, bias, y, long(B * N), C)
*/
// A warp has a row, whose numbers stay in registers as far as there are enough of them. Deviations are those from the mean, so that
// neither a large offset nor a constant row cancels.
constexpr int kWarps = 4;

// Of all lanes of the warp, for all of them.
__device__ float sum_of_warp(float value) {
  for (int width = 16; width > 0; width /= 2) value += __shfl_xor_sync(0xffffffff, value, width);
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
__device__ float map(float v, float w, float z, F f) {
  return f(v, w, z);
}
template <class F>
__device__ float4 map(float4 v, float4 w, float4 z, F f) {
  return make_float4(f(v.x, w.x, z.x), f(v.y, w.y, z.y), f(v.z, w.z, z.z), f(v.w, w.w, z.w));
}

// A lane's units of a row, of one or four numbers. It holds the first 32 numbers of them in registers.
template <class Unit>
struct Row {
  static constexpr int kEach = sizeof(Unit) / sizeof(float), kHeld = 32 / kEach;
  const Unit* from;
  long long units;
  int lane;
  Unit held[kHeld];

  __device__ Row(const float* numbers, long long length) : from(reinterpret_cast<const Unit*>(numbers)), units(length / kEach), lane(threadIdx.x % 32) {
#pragma unroll
    for (int i = 0; i < kHeld; ++i)
      if (lane + i * 32 < units) held[i] = from[lane + i * 32];
  }
  // Calls f with the place and value of each unit.
  template <class F>
  __device__ void each(F f) const {
#pragma unroll
    for (int i = 0; i < kHeld; ++i)
      if (lane + i * 32 < units) f(lane + i * 32, held[i]);
    for (long long u = lane + kHeld * 32; u < units; u += 32) f(u, from[u]);
  }
};

template <class Unit>
__device__ void normalise_row(const float* __restrict__ x, const float* __restrict__ scale, const float* __restrict__ bias,
                              float* __restrict__ y, long long length) {
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
    const Unit s = reinterpret_cast<const Unit*>(scale)[u], b = reinterpret_cast<const Unit*>(bias)[u];
    reinterpret_cast<Unit*>(y)[u] = map(v, s, b, [&](float number, float s, float b) { return ((number - mean) - off) * factor * s + b; });
  });
}

extern "C" __global__ void __launch_bounds__(kWarps * 32) normalise(const float* __restrict__ x, const float* __restrict__ scale,
                                                                    const float* __restrict__ bias, float* __restrict__ y, long long rows,
                                                                    long long C) {
  const long long row = blockIdx.x * (long long)kWarps + threadIdx.x / 32;
  if (row >= rows) return;
  if (C % 4 == 0) normalise_row<float4>(x + row * C, scale, bias, y + row * C, C);
  else normalise_row<float>(x + row * C, scale, bias, y + row * C, C);
}

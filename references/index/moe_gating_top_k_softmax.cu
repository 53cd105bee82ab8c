// SPDX-License-Identifier: Apache-2.0
/* launch
   kernel route grid [div_up(N, 8)] block [256] (x, finished, share, expert, N, E, K)
*/
// A warp has a row. Of up to 128 logits each lane holds four neighbours as keys in falling order, so that the largest of all lanes' first
// ones is the next to be taken. Longer rows are read again for each that is taken.
constexpr unsigned kAll = 0xffffffff;
constexpr int kHeld = 4;

// Rises with x; adding 0 makes the two zeros one. 0 is less than any number's.
__device__ unsigned key_of(float x) {
  const unsigned bits = __float_as_uint(x + 0.0f);
  return bits ^ (bits >> 31 ? 0xffffffffu : 0x80000000u);
}
__device__ float number_of(unsigned key) { return __uint_as_float(key ^ (key >> 31 ? 0x80000000u : 0xffffffffu)); }

__device__ float sum_of_warp(float value) {
  for (int width = 16; width > 0; width /= 2) value += __shfl_xor_sync(kAll, value, width);
  return value;
}

struct Choice {
  unsigned key;
  int expert;
};

// Four logits of each lane.
struct HeldRow {
  unsigned keys[kHeld];
  int experts[kHeld];
  float sum;  // of exponentials

  __device__ HeldRow(const float* __restrict__ row, int E) {
    const int first = threadIdx.x % 32 * kHeld;
    float v[kHeld];
    if (E % kHeld == 0) {
      const float4 four = first < E ? *reinterpret_cast<const float4*>(row + first) : make_float4(0, 0, 0, 0);
      v[0] = four.x, v[1] = four.y, v[2] = four.z, v[3] = four.w;
    } else {
      for (int i = 0; i < kHeld; ++i) v[i] = first + i < E ? row[first + i] : 0;
    }
    for (int i = 0; i < kHeld; ++i) {
      experts[i] = first + i;
      keys[i] = first + i < E ? key_of(v[i]) : 0;
    }
    // Only neighbours change places, so that equal ones stay in order.
#pragma unroll
    for (int last = kHeld - 1; last > 0; --last)
#pragma unroll
      for (int i = 0; i < last; ++i)
        if (keys[i] < keys[i + 1]) {
          const unsigned key = keys[i];
          const int expert = experts[i];
          keys[i] = keys[i + 1], experts[i] = experts[i + 1];
          keys[i + 1] = key, experts[i + 1] = expert;
        }
    const float top = number_of(__reduce_max_sync(kAll, keys[0]));
    sum = 0;
    for (int i = 0; i < kHeld; ++i)
      if (first + i < E) sum += expf(v[i] - top);
    sum = sum_of_warp(sum);
  }

  __device__ Choice next() {
    const unsigned best = __reduce_max_sync(kAll, keys[0]);
    const int lane = __ffs(__ballot_sync(kAll, keys[0] == best)) - 1;
    const Choice choice = {best, __shfl_sync(kAll, experts[0], lane)};
    if (threadIdx.x % 32 == lane) {
#pragma unroll
      for (int i = 1; i < kHeld; ++i) keys[i - 1] = keys[i], experts[i - 1] = experts[i];
      keys[kHeld - 1] = 0;
    }
    return choice;
  }
};

// A row of any length, and what has been taken from it last.
struct LongRow {
  const float* row;
  int E;
  Choice last = {0xffffffffu, -1};
  float sum;

  __device__ LongRow(const float* __restrict__ row, int E) : row(row), E(E) {
    unsigned best = 0;
    for (int e = threadIdx.x % 32; e < E; e += 32) best = max(best, key_of(row[e]));
    const float top = number_of(__reduce_max_sync(kAll, best));
    sum = 0;
    for (int e = threadIdx.x % 32; e < E; e += 32) sum += expf(row[e] - top);
    sum = sum_of_warp(sum);
  }

  __device__ Choice next() {
    Choice own = {0, E};
    for (int e = threadIdx.x % 32; e < E; e += 32) {
      const unsigned key = key_of(row[e]);
      const bool left = key < last.key || (key == last.key && e > last.expert);
      if (left && key > own.key) own = {key, e};
    }
    last.key = __reduce_max_sync(kAll, own.key);
    last.expert = __reduce_min_sync(kAll, own.key == last.key ? own.expert : E);
    return last;
  }
};

// Lane k keeps what is taken as number k, of 32 at a time.
template <class Row>
__device__ void choose(Row row, bool finished, float* __restrict__ share, int* __restrict__ expert, int E, int K) {
  const int lane = threadIdx.x % 32;
  float top = 0;
  for (int begin = 0; begin < K; begin += 32) {
    const int count = min(K - begin, 32);
    Choice own = {};
    for (int k = 0; k < count; ++k) {
      const Choice choice = row.next();
      if (k == 0 && begin == 0) top = number_of(choice.key);
      if (k == lane) own = choice;
    }
    if (lane < count) {
      share[begin + lane] = expf(number_of(own.key) - top) / row.sum;
      expert[begin + lane] = finished ? E : own.expert;
    }
  }
}

extern "C" __global__ void route(const float* __restrict__ x, const bool* __restrict__ finished, float* __restrict__ share,
                                 int* __restrict__ expert, long long N, long long E, long long K) {
  const long long n = blockIdx.x * 8ll + threadIdx.x / 32;
  if (n >= N) return;
  x += n * E;
  share += n * K;
  expert += n * K;
  if (E <= 32 * kHeld) choose(HeldRow(x, (int)E), finished[n], share, expert, (int)E, (int)K);
  else choose(LongRow(x, (int)E), finished[n], share, expert, (int)E, (int)K);
}

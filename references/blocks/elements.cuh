// SPDX-License-Identifier: Apache-2.0
// Results of single elements, for a grid [div_up(div_up(count, 4), 256)] of blocks of 256. A thread has four neighbouring ones, which it
// reads and writes together; those of the last one may be fewer.
#pragma once

template <class T>
struct alignas(4 * sizeof(T)) Four {
  T at[4];
};

template <class T>
__device__ Four<T> four_of(const T* from) {
  return *reinterpret_cast<const Four<T>*>(from);
}

template <class T>
__device__ void store(T* to, Four<T> four) {
  *reinterpret_cast<Four<T>*>(to) = four;
}

template <class Result, class F, class... Arguments>
__device__ Four<Result> map(F f, Four<Arguments>... x) {
  Four<Result> y;
#pragma unroll
  for (int k = 0; k < 4; ++k) y.at[k] = f(x.at[k]...);
  return y;
}

// y = f(x...), element by element.
template <class F, class Result, class... Arguments>
__device__ void each_element(long long count, Result* __restrict__ y, F f, const Arguments* __restrict__... x) {
  const long long i = (blockIdx.x * 256ll + threadIdx.x) * 4;
  if (i + 4 <= count) {
    store(y + i, map<Result>(f, four_of(x + i)...));
    return;
  }
  for (long long k = i; k < count; ++k) y[k] = f(x[k]...);
}

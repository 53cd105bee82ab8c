// SPDX-License-Identifier: Apache-2.0
// Running results along rows of C elements. A block of 256 has a row, and goes along it in steps of 1,024 elements, four for each thread.
// The next step's elements are on their way while this one's are joined.
// A Scan says what a State is, and has none(), join(left, right) and shifted(state, distance), the state of the lane that far to the left.
// Its fetch(c, v, C) loads the four states from element c on, and its put(c, lead, v, C) stores results: lead is of all before c, v[i] of
// elements c to c + i.
#pragma once

constexpr int kThreads = 256, kWarps = kThreads / 32, kEach = 4, kStep = kThreads * kEach;
constexpr unsigned kAll = 0xffffffff;

// Loads and stores of four neighbours, at once where rows are a multiple of that.
template <class Four, class T>
__device__ void load_four(const T* __restrict__ x, long long c, long long C, T none, T (&v)[kEach]) {
  if (C % kEach == 0 && c < C) {
    const Four four = *reinterpret_cast<const Four*>(x + c);
    v[0] = four.x, v[1] = four.y, v[2] = four.z, v[3] = four.w;
    return;
  }
#pragma unroll
  for (int i = 0; i < kEach; ++i) v[i] = c + i < C ? x[c + i] : none;
}
template <class Four, class T>
__device__ void store_four(T* __restrict__ y, long long c, long long C, const T (&v)[kEach]) {
  if (C % kEach == 0 && c < C) {
    *reinterpret_cast<Four*>(y + c) = Four{v[0], v[1], v[2], v[3]};
    return;
  }
#pragma unroll
  for (int i = 0; i < kEach; ++i)
    if (c + i < C) y[c + i] = v[i];
}

template <class Scan>
__device__ void scan_row(const Scan& scan, long long C) {
  using State = typename Scan::State;
  __shared__ State results[2][kWarps];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  State before = Scan::none();  // of all steps before
  State next[kEach];
  scan.fetch(threadIdx.x * kEach, next, C);
  int side = 0;
  for (long long begin = 0; begin < C; begin += kStep, side ^= 1) {
    const long long c = begin + threadIdx.x * kEach;
    State v[kEach];
    v[0] = next[0];
#pragma unroll
    for (int i = 1; i < kEach; ++i) v[i] = Scan::join(v[i - 1], next[i]);
    if (begin + kStep < C) scan.fetch(c + kStep, next, C);
    State upto = v[kEach - 1];
    for (int distance = 1; distance < 32; distance *= 2) {
      const State left = Scan::shifted(upto, distance);
      if (lane >= distance) upto = Scan::join(left, upto);
    }
    if (lane == 31) results[side][warp] = upto;
    State lead = Scan::shifted(upto, 1);
    if (lane == 0) lead = Scan::none();
    __syncthreads();
    State in_front = before;
#pragma unroll
    for (int w = 0; w < kWarps; ++w) {
      if (w == warp) in_front = before;
      before = Scan::join(before, results[side][w]);
    }
    scan.put(c, Scan::join(in_front, lead), v, C);
  }
}

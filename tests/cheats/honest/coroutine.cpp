// SPDX-License-Identifier: Apache-2.0
// task: relu
// A generator yields the results.
#include <coroutine>
#include <exception>

#include "kernel.h"

namespace {

struct Values {
  struct promise_type {
    float value = 0;
    Values get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(float v) noexcept {
      value = v;
      return {};
    }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
  std::coroutine_handle<promise_type> handle;
  ~Values() { handle.destroy(); }
};

Values rectified(const float* x, int64_t count) {
  for (int64_t i = 0; i < count; ++i) co_yield x[i] < 0 ? 0.0f : x[i];
}

}  // namespace

void relu(const float* x, float* y, int64_t N, int64_t C) {
  const Values values = rectified(x, N * C);
  for (int64_t i = 0; i < N * C; ++i) {
    values.handle.resume();
    y[i] = values.handle.promise().value;
  }
}

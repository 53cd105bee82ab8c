// SPDX-License-Identifier: Apache-2.0
// task: relu
// Objects, virtual functions, pointers to functions, std::function, variants, run-time types.
#include <functional>
#include <memory>
#include <typeinfo>
#include <variant>
#include <vector>

#include "kernel.h"

namespace {

struct Operation {
  virtual ~Operation() = default;
  virtual float apply(float x) const = 0;
};
struct Rectify : Operation {
  float apply(float x) const override { return x < 0 ? 0 : x; }
};
float rectify(float x) { return x < 0 ? 0 : x; }

}  // namespace

void relu(const float* x, float* y, int64_t N, int64_t C) {
  const std::unique_ptr<Operation> operation = std::make_unique<Rectify>();
  const std::vector<std::function<float(float)>> all = {rectify, [](float v) { return v < 0 ? 0 : v; },
                                                        [&](float v) { return operation->apply(v); }};
  const bool known =
      dynamic_cast<const Rectify*>(operation.get()) != nullptr && typeid(*operation) == typeid(Rectify);
  const std::variant<int, float> zero = 0.0f;
  for (int64_t i = 0; i < N * C; ++i)
    y[i] = known ? all[static_cast<size_t>(i % 3)](x[i]) : std::get<float>(zero);
}

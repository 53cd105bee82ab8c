// SPDX-License-Identifier: Apache-2.0
// ONNX normalisations by a norm of the neighbours: LRN (local response) and LpNormalization; x -> y of x's
// shape.
#include <Eigen/Core>

#include "elementwise.h"
#include "reduction.h"

namespace assay::oracle {
namespace {

/// x / (bias + alpha / size * sum of squares over `size` neighbouring channels)^beta; x [N, C, ...].
/// Opset 13.
template <class T>
void local_response_normalization(Call<T>& call) {
  const Tensor<T>& x = call.reals(0);
  call.require(x.rank() >= 2, "x must have at least the dimensions [N, C], got " + to_string(x.shape()));
  const AxisView view(x.shape(), 1);
  const std::int64_t size = call.integer("size");
  call.require(size > 0, "attribute size must be positive");
  const double alpha = call.real("alpha", 1e-4) / static_cast<double>(size);
  const double beta = call.real("beta", 0.75), bias = call.real("bias", 1);
  Tensor<T>& y = call.template output_like<T>(0, x.shape());
  call.flops((2 * static_cast<double>(size) + 4) * static_cast<double>(x.size()));
  for (std::int64_t row = 0; row < view.outer * view.extent; ++row) {
    const std::int64_t c = row % view.extent;
    const std::int64_t below = std::min(c, (size - 1) / 2), above = std::min(view.extent - 1 - c, size / 2);
    const T* from = x.data() + row * view.inner;
    T* to = y.data() + row * view.inner;
    if constexpr (std::is_same_v<T, float>) {
      using Row = Eigen::Map<const Eigen::ArrayXf>;
      Eigen::ArrayXf squares = Eigen::ArrayXf::Zero(view.inner);
      for (std::int64_t d = -below; d <= above; ++d) squares += Row(from + d * view.inner, view.inner).square();
      // exp and log are vectorised, pow is not; the base is positive.
      squares = (squares * static_cast<float>(alpha) + static_cast<float>(bias)).log() * static_cast<float>(-beta);
      Eigen::Map<Eigen::ArrayXf>(to, view.inner) = Row(from, view.inner) * squares.exp();
    } else {
      using std::pow;
      for (std::int64_t i = 0; i < view.inner; ++i) {
        const T squares = sum<T>(below + above + 1, [&](std::int64_t k) {
          const T neighbour = from[(k - below) * view.inner + i];
          return neighbour * neighbour;
        });
        to[i] = from[i] / pow(static_cast<T>(bias) + static_cast<T>(alpha) * squares, static_cast<T>(beta));
      }
    }
  }
}

/// Float, a strided axis: passes along the `inner` contiguous sets together.
void normalize_plane(const float* x, float* y, const AxisView& view, std::int64_t p) {
  using Row = Eigen::Map<const Eigen::ArrayXf>;
  const Eigen::Index n = view.inner;
  Eigen::ArrayXf norm = Eigen::ArrayXf::Zero(n);
  for (std::int64_t k = 0; k < view.extent; ++k) {
    if (p == 1) norm += Row(x + k * n, n).abs();
    else norm += Row(x + k * n, n).square();
  }
  // Where the norm is 0 so is x, and 0 times anything finite is the 0 that is wanted.
  for (float& total : norm) total = total == 0 ? 1 : 1 / (p == 1 ? total : std::sqrt(total));
  for (std::int64_t k = 0; k < view.extent; ++k) Eigen::Map<Eigen::ArrayXf>(y + k * n, n) = Row(x + k * n, n) * norm;
}

/// x / ||x||_p along `axis` (-1), p 1 or 2; 0 where the norm is 0.
template <class T>
void lp_normalization(Call<T>& call) {
  const Tensor<T>& x = call.reals(0);
  const AxisView view(x.shape(), call.axis(call.integer("axis", -1), x.rank()));
  const std::int64_t p = call.integer("p", 2);
  call.require(p == 1 || p == 2, "attribute p must be 1 or 2, got " + std::to_string(p));
  Tensor<T>& y = call.template output_like<T>(0, x.shape());
  call.flops(3 * static_cast<double>(x.size()));
  if constexpr (std::is_same_v<T, float>) {
    if (view.inner >= 8 && sum_order() == SumOrder::natural) {
      const std::int64_t plane = view.extent * view.inner;
      for (std::int64_t o = 0; o < view.outer; ++o) normalize_plane(x.data() + o * plane, y.data() + o * plane, view, p);
      return;
    }
  }
  for (std::int64_t o = 0; o < view.outer; ++o)
    for (std::int64_t i = 0; i < view.inner; ++i) {
      using std::abs;
      using std::sqrt;
      const T* from = x.data() + o * view.extent * view.inner + i;
      T* to = y.data() + (from - x.data());
      T norm = sum<T>(view.extent, [from, p, stride = view.inner](std::int64_t k) {
        const T element = from[k * stride];
        return p == 1 ? T(abs(element)) : element * element;
      });
      if (p == 2) norm = sqrt(norm);
      for (std::int64_t k = 0; k < view.extent; ++k) to[k * view.inner] = norm == T(0) ? T(0) : from[k * view.inner] / norm;
    }
}

const bool defined[] = {
    define({"LRN", Specials::finite}, [](auto& call) { local_response_normalization(call); }),
    define({"LpNormalization", Specials::finite}, [](auto& call) { lp_normalization(call); }),
};

}  // namespace
}  // namespace assay::oracle

// SPDX-License-Identifier: Apache-2.0
// Sampling at computed positions: GridSample and the AffineGrid that feeds it.
#include <fmt/core.h>

#include <cmath>

#include "interpolation.h"
#include "reduction.h"
#include "window.h"

namespace assay::oracle {
namespace {

enum class Sampling { nearest, linear, cubic };
enum class Padding { zeros, border, reflection };

struct Sampler {
  Sampling mode;
  Padding padding;
  bool align_corners;
  Shape input;  ///< spatial extents

  std::int64_t taps_per_axis() const { return mode == Sampling::nearest ? 1 : mode == Sampling::linear ? 2 : 4; }
};

template <class C>
Sampler read_sampler(const C& call) {
  const std::string mode = call.text("mode", call.opset() < 20 ? "bilinear" : "linear");
  const std::string padding = call.text("padding_mode", "zeros");
  Sampler s{};
  if (mode == "nearest") s.mode = Sampling::nearest;
  else if (mode == "bilinear" || mode == "linear") s.mode = Sampling::linear;
  else if (mode == "bicubic" || mode == "cubic") s.mode = Sampling::cubic;
  else call.fail("mode '" + mode + "' is not known");
  if (padding == "zeros") s.padding = Padding::zeros;
  else if (padding == "border") s.padding = Padding::border;
  else if (padding == "reflection") s.padding = Padding::reflection;
  else call.fail("padding_mode '" + padding + "' is not known");
  s.align_corners = call.integer("align_corners", 0) != 0;
  const Shape &x = call.shape(0), &grid = call.shape(1);
  if (x.size() < 3 || grid.size() != x.size() || grid.back() != static_cast<std::int64_t>(x.size()) - 2 || grid[0] != x[0])
    call.fail(fmt::format("X must be [N, C, D1, ...] and grid [N, O1, ..., rank], got {} and {}", to_string(x), to_string(grid)));
  call.require(x.size() <= 5, "X may have three spatial dimensions at most");
  s.input.assign(x.begin() + 2, x.end());
  return s;
}

/// Mirrors x at `low` and `high` until it lies between them.
template <class T>
T reflect(T x, double low, double high) {
  const double range = high - low;
  if (range <= 0) return T(low);
  const double value = value_of(x);
  if (value >= low && value <= high) return x;
  const T past = value < low ? T(low) - x : x - T(high);
  const double turns = std::floor(value_of(past) / range);
  const T rest = past - static_cast<T>(turns * range);
  const bool from_low = (value < low) == (std::fmod(turns, 2.0) == 0);
  return from_low ? T(low) + rest : T(high) - rest;
}

struct Borders {
  double low, high;
};

Borders borders(const Sampler& s, std::int64_t extent) {
  const double last = static_cast<double>(extent - 1);
  return s.align_corners ? Borders{0, last} : Borders{-0.5, last + 0.5};
}

/// The element that position i along an axis stands for, or -1: a zero.
std::int64_t element_at(const Sampler& s, std::int64_t i, std::int64_t extent) {
  if (i >= 0 && i < extent) return i;
  if (s.padding == Padding::zeros) return -1;
  if (s.padding == Padding::border) return std::clamp<std::int64_t>(i, 0, extent - 1);
  const Borders edge = borders(s, extent);
  return static_cast<std::int64_t>(reflect(static_cast<double>(i), edge.low, edge.high));
}

/// Where a grid value in [-1, 1] falls on an axis, in elements, after padding has moved it inside.
template <class T>
T position(const Sampler& s, T grid, std::int64_t extent) {
  const T length = static_cast<T>(static_cast<double>(extent)), one = T(1), half = T(0.5);
  T x = s.align_corners ? (grid + one) * half * (length - one) : ((grid + one) * length - one) * half;
  if (s.mode == Sampling::nearest) return x;
  const Borders edge = borders(s, extent);
  if (value_of(x) >= edge.low && value_of(x) <= edge.high) return x;
  if (s.padding == Padding::border) return static_cast<T>(std::clamp(value_of(x), 0.0, static_cast<double>(extent - 1)));
  return s.padding == Padding::reflection ? reflect(x, edge.low, edge.high) : x;
}

/// Elements and weights of one point: the product over the axes of each axis's own. On the stack: one for
/// each point.
template <class T>
struct Taps {
  static constexpr std::size_t most = 64;  // cubic in three dimensions
  std::size_t count = 1;
  std::int64_t offset[most] = {0};  ///< -1: a zero
  T weight[most];
};

/// `doubt` receives the element that the other side of a rounding tie would give, where the position's error
/// reaches it.
template <class T>
std::int64_t round_position(T x, std::int64_t& doubt) {
  const double value = value_of(x), rounded_value = std::nearbyint(value);
  doubt = static_cast<std::int64_t>(rounded_value);
  if constexpr (std::is_same_v<T, Bounded>) {
    constexpr double unit_roundoff = 0x1p-24, allowance = 4;
    const double to_tie = 0.5 - std::abs(value - rounded_value);
    if (to_tie <= allowance * unit_roundoff * x.error) doubt += value > rounded_value ? 1 : -1;
  }
  return static_cast<std::int64_t>(rounded_value);
}

/// Multiplies the taps by those of one more axis; from the last on, so that each is read before it is
/// overwritten.
template <class T>
void extend(const Sampler& s, std::int64_t extent, std::int64_t first, const T* weights, std::size_t count, Taps<T>& taps) {
  for (std::size_t i = taps.count; i-- > 0;) {
    const std::int64_t offset = taps.offset[i];
    const T weight = taps.weight[i];
    for (std::size_t t = 0; t < count; ++t) {
      const std::int64_t element = element_at(s, first + static_cast<std::int64_t>(t), extent);
      taps.offset[i * count + t] = element < 0 || offset < 0 ? -1 : offset * extent + element;
      taps.weight[i * count + t] = taps.count == 1 ? weights[t] : weight * weights[t];
    }
  }
  taps.count *= count;
}

template <class T>
Taps<T> point_taps(const Sampler& s, const T* grid, bool take_doubt) {
  Taps<T> taps;
  const T one[] = {T(1)};
  const std::size_t rank = s.input.size();
  for (std::size_t d = 0; d < rank; ++d) {
    const T x = position(s, grid[rank - 1 - d], s.input[d]);  // the grid names the last axis first
    if (s.mode == Sampling::nearest) {
      std::int64_t doubt = 0;
      const std::int64_t chosen = round_position(x, doubt);
      extend(s, s.input[d], take_doubt ? doubt : chosen, one, 1, taps);
      continue;
    }
    const double floor = std::floor(value_of(x));
    const T ratio = x - static_cast<T>(floor);
    const auto first = static_cast<std::int64_t>(floor);
    if (s.mode == Sampling::linear) {
      const T weights[] = {T(1) - ratio, ratio};
      extend(s, s.input[d], first, weights, 2, taps);
    } else {
      const auto weights = cubic_weights<T>(ratio, -0.75);
      extend(s, s.input[d], first - 1, weights.data(), 4, taps);
    }
  }
  return taps;
}

template <class T>
T sample(const T* plane, const Taps<T>& taps) {
  if (taps.count == 1) return taps.offset[0] < 0 ? T(0) : plane[taps.offset[0]];
  return sum<T>(static_cast<std::int64_t>(taps.count),
                [&](std::int64_t t) -> T { return taps.offset[t] < 0 ? T(0) : taps.weight[t] * plane[taps.offset[t]]; });
}

/// One row of the grid at a time: its taps once, then every channel.
template <class T>
void sample_points(const Sampler& s, const Tensor<T>& x, const Tensor<T>& grid, Tensor<T>& y) {
  const auto rank = static_cast<std::int64_t>(s.input.size());
  const std::int64_t plane = element_count(s.input), channels = x.shape()[1];
  const std::int64_t points = element_count({grid.shape().begin() + 1, grid.shape().end() - 1});
  for (std::int64_t n = 0; n < x.shape()[0]; ++n)
    for (std::int64_t p = 0; p < points; ++p) {
      const T* at = grid.data() + (n * points + p) * rank;
      const Taps<T> taps = point_taps(s, at, false);
      for (std::int64_t c = 0; c < channels; ++c)
        y.data()[(n * channels + c) * points + p] = sample(x.data() + (n * channels + c) * plane, taps);
      if constexpr (std::is_same_v<T, Bounded>) {
        if (s.mode != Sampling::nearest) continue;
        const Taps<T> other = point_taps(s, at, true);
        if (other.offset[0] == taps.offset[0]) continue;
        for (std::int64_t c = 0; c < channels; ++c) {
          T& z = y.data()[(n * channels + c) * points + p];
          const double jump = std::abs(sample(x.data() + (n * channels + c) * plane, other).value - z.value);
          z = Bounded(z.value, z.error + jump * 0x1p24);
        }
      }
    }
}

/// Two-dimensional bilinear sampling, the common case: four taps kept for a row of points, then swept by
/// channel.
void sample_bilinear(const Sampler& s, const Tensor<float>& x, const Tensor<float>& grid, Tensor<float>& y) {
  const std::int64_t rows = grid.shape()[1], width = grid.shape()[2], channels = x.shape()[1];
  const std::int64_t height_in = s.input[0], width_in = s.input[1], plane = height_in * width_in;
  std::vector<std::int64_t> offset(static_cast<std::size_t>(4 * width));
  std::vector<float> weight(static_cast<std::size_t>(4 * width));
  for (std::int64_t nr = 0; nr < x.shape()[0] * rows; ++nr) {
    for (std::int64_t p = 0; p < width; ++p) {
      const float* at = grid.data() + (nr * width + p) * 2;
      const float px = position(s, at[0], width_in), py = position(s, at[1], height_in);
      const float fx = std::floor(px), fy = std::floor(py);
      const float wx[] = {1 - (px - fx), px - fx}, wy[] = {1 - (py - fy), py - fy};
      for (std::int64_t t = 0; t < 4; ++t) {
        const std::int64_t i = element_at(s, static_cast<std::int64_t>(fy) + t / 2, height_in);
        const std::int64_t j = element_at(s, static_cast<std::int64_t>(fx) + t % 2, width_in);
        const auto slot = static_cast<std::size_t>(4 * p + t);
        offset[slot] = i < 0 || j < 0 ? 0 : i * width_in + j;
        weight[slot] = i < 0 || j < 0 ? 0 : wy[t / 2] * wx[t % 2];
      }
    }
    const std::int64_t n = nr / rows, r = nr % rows;
    for (std::int64_t c = 0; c < channels; ++c) {
      const float* from = x.data() + (n * channels + c) * plane;
      float* to = y.data() + ((n * channels + c) * rows + r) * width;
      const std::int64_t* o = offset.data();
      const float* w = weight.data();
      for (std::int64_t p = 0; p < width; ++p, o += 4, w += 4)
        to[p] = from[o[0]] * w[0] + from[o[1]] * w[1] + from[o[2]] * w[2] + from[o[3]] * w[3];
    }
  }
}

/// Y[n, c, p] = X[n, c] at the position grid[n, p], -1 and 1 being the ends of each axis (of its elements
/// where align_corners, else of their outer edges). X [N, C, D1, ...], grid [N, O1, ..., rank] -> [N, C, O1,
/// ...]. ONNX GridSample, opset 16 (more than two dimensions since 20). Over Bounded, nearest allows either
/// side of a tie that the position's error reaches.
const bool grid_sample = define({.name = "GridSample", .since = 16}, [](auto& call) {
  using T = typename std::decay_t<decltype(call)>::Scalar;
  const Sampler s = read_sampler(call);
  const Tensor<T>&x = call.reals(0), &grid = call.reals(1);
  Shape out{x.shape()[0], x.shape()[1]};
  out.insert(out.end(), grid.shape().begin() + 1, grid.shape().end() - 1);
  call.require(element_count(s.input) > 0 || element_count(out) == 0, "X has no elements to sample");
  Tensor<T>& y = call.template output_like<T>(0, out);
  call.flops(s.mode == Sampling::nearest ? 0
                                         : 2 * std::pow(static_cast<double>(s.taps_per_axis()), static_cast<double>(s.input.size())) *
                                               static_cast<double>(y.size()));
  if constexpr (std::is_same_v<T, float>) {
    if (s.mode == Sampling::linear && s.input.size() == 2 && sum_order() == SumOrder::natural) return sample_bilinear(s, x, grid, y);
  }
  sample_points(s, x, grid, y);
});

/// grid[n, p] = theta[n] (p, 1), p running over [-1, 1] on each axis: theta [N, r, r + 1], size [N, C, D1,
/// ..., Dr] -> [N, D1, ..., Dr, r]. ONNX AffineGrid, opset 20.
const bool affine_grid = define({.name = "AffineGrid", .since = 20}, [](auto& call) {
  using T = typename std::decay_t<decltype(call)>::Scalar;
  const Tensor<T>& theta = call.reals(0);
  const auto size = call.integer_list(1);
  const auto rank = static_cast<std::int64_t>(size.size()) - 2;
  call.require(rank >= 1 && theta.shape() == Shape{size[0], rank, rank + 1}, "theta must be [N, r, r + 1] for size [N, C, D1, ..., Dr]");
  const bool align = call.integer("align_corners", 0) != 0;
  Shape out{size[0]};
  out.insert(out.end(), size.begin() + 2, size.end());
  const Shape extents(size.begin() + 2, size.end());
  out.push_back(rank);
  Tensor<T>& grid = call.template output_like<T>(0, out);
  call.flops(2.0 * static_cast<double>(grid.size() * static_cast<std::size_t>(rank + 1)));
  T* to = grid.data();
  for (std::int64_t n = 0; n < size[0]; ++n) {
    Shape at(extents.size(), 0);
    for (std::int64_t p = 0; p < element_count(extents); ++p, advance(at, extents)) {
      const auto coordinate = [&](std::int64_t k) -> T {  // the last axis first, then the constant 1
        if (k == rank) return T(1);
        const auto d = static_cast<std::size_t>(rank - 1 - k);
        const double i = static_cast<double>(at[d]), extent = static_cast<double>(extents[d]);
        if (align) return extents[d] == 1 ? T(-1) : static_cast<T>(2 * i) / static_cast<T>(extent - 1) - T(1);
        return static_cast<T>(2 * i + 1) / static_cast<T>(extent) - T(1);
      };
      for (std::int64_t r = 0; r < rank; ++r) {
        const T* row = theta.data() + (n * rank + r) * (rank + 1);
        *to++ = sum<T>(rank + 1, [&](std::int64_t k) -> T { return row[k] * coordinate(k); });
      }
    }
  }
});

}  // namespace
}  // namespace assay::oracle

// SPDX-License-Identifier: Apache-2.0
// Regions of images: RoiAlign and MaxRoiPool pool regions of interest, Col2Im puts overlapping blocks
// together.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "elementwise.h"
#include "reduction.h"
#include "window.h"

namespace assay::oracle {
namespace {

template <class T>
struct Region {
  T start_h, start_w, bin_h, bin_w;
  std::int64_t samples_h, samples_w;
};

template <class C>
Region<typename C::Scalar> read_region(const C& call, std::int64_t n, std::int64_t height, std::int64_t width) {
  using T = typename C::Scalar;
  const bool half_pixel =
      call.text("coordinate_transformation_mode", call.opset() < 16 ? "output_half_pixel" : "half_pixel") == "half_pixel";
  const T scale = static_cast<T>(call.real("spatial_scale", 1.0)), offset = T(half_pixel ? 0.5 : 0.0);
  const T* roi = call.reals(1).data() + 4 * n;  // x1, y1, x2, y2
  T extent_w = (roi[2] * scale - offset) - (roi[0] * scale - offset);
  T extent_h = (roi[3] * scale - offset) - (roi[1] * scale - offset);
  if (!half_pixel) {  // a malformed region counts as one element
    if (extent_w < T(1)) extent_w = T(1);
    if (extent_h < T(1)) extent_h = T(1);
  }
  Region<T> region{roi[1] * scale - offset,
                   roi[0] * scale - offset,
                   extent_h / T(static_cast<double>(height)),
                   extent_w / T(static_cast<double>(width)),
                   call.integer("sampling_ratio", 0),
                   0};
  region.samples_w = region.samples_h;
  if (region.samples_h > 0) return region;
  region.samples_h = static_cast<std::int64_t>(std::ceil(value_of(region.bin_h)));
  region.samples_w = static_cast<std::int64_t>(std::ceil(value_of(region.bin_w)));
  return region;
}

/// The two elements beside a sample on one axis and their weights; a sample more than 1 outside has none, and
/// where the errors leave that open, it may have either.
template <class T>
struct Neighbours {
  std::int64_t low, high;
  T low_weight, high_weight;
};

template <class T>
Neighbours<T> neighbours(T at, std::int64_t extent) {
  const double value = value_of(at), last = static_cast<double>(extent - 1);
  if (!(value > 0 && value < last)) {
    const bool outside = value < -1 || value > last + 1;
    const std::int64_t nearest = value <= 0 ? 0 : extent - 1;
    const bool open = open_between(at, T(-1)) || open_between(at, T(last + 1));
    const T weight = open ? either(T(outside ? 0 : 1), T(outside ? 1 : 0)) : T(outside ? 0 : 1);
    return {nearest, nearest, weight, T(0)};
  }
  const auto low = static_cast<std::int64_t>(value);
  const T high_weight = at - T(static_cast<double>(low));
  return {low, low + 1, T(1) - high_weight, high_weight};
}

/// Weighted elements of every sample in one bin, four for each sample.
template <class T>
struct Samples {
  std::vector<std::int64_t> offset;
  std::vector<T> weight;
};

template <class T>
Samples<T> bin_samples(const Region<T>& region, std::int64_t ph, std::int64_t pw, std::int64_t height, std::int64_t width) {
  Samples<T> samples;
  const auto place = [](T start, T bin, std::int64_t p, std::int64_t i, std::int64_t count) -> T {
    return start + T(static_cast<double>(p)) * bin + T(static_cast<double>(i) + 0.5) * bin / T(static_cast<double>(count));
  };
  for (std::int64_t iy = 0; iy < region.samples_h; ++iy) {
    const Neighbours<T> y = neighbours(place(region.start_h, region.bin_h, ph, iy, region.samples_h), height);
    for (std::int64_t ix = 0; ix < region.samples_w; ++ix) {
      const Neighbours<T> x = neighbours(place(region.start_w, region.bin_w, pw, ix, region.samples_w), width);
      for (const auto& [row, wy] : {std::pair(y.low, y.low_weight), std::pair(y.high, y.high_weight)})
        for (const auto& [column, wx] : {std::pair(x.low, x.low_weight), std::pair(x.high, x.high_weight)}) {
          samples.offset.push_back(row * width + column);
          samples.weight.push_back(wy * wx);
        }
    }
  }
  return samples;
}

template <class T>
T pool_bin(const Samples<T>& samples, const T* plane, bool average) {
  const auto term = [&](std::int64_t i) -> T {
    return samples.weight[static_cast<std::size_t>(i)] * plane[samples.offset[static_cast<std::size_t>(i)]];
  };
  const auto count = static_cast<std::int64_t>(samples.offset.size());
  if (average) return sum<T>(count, term) / T(static_cast<double>(std::max<std::int64_t>(count / 4, 1)));
  T most = count == 0 ? T(0) : term(0);
  for (std::int64_t i = 1; i < count; ++i)
    if (most < term(i)) most = term(i);
  return most;
}

/// Each region divided into output_height x output_width bins, each bin the mean (mode avg) of bilinear
/// samples in it, or the largest of their weighted elements (mode max). X [N, C, H, W], rois [R, 4] as x1,
/// y1, x2, y2, batch_indices [R] -> [R, C, output_height, output_width]. ONNX RoiAlign, opset 10 (half_pixel
/// since 16).
const bool roi_align = define({.name = "RoiAlign", .since = 10}, [](auto& call) {
  using T = typename std::decay_t<decltype(call)>::Scalar;
  const Tensor<T>& x = call.reals(0);
  call.require(x.rank() == 4 && call.shape(1).size() == 2 && call.shape(1)[1] == 4, "X must be [N, C, H, W], rois [R, 4]");
  const auto batches = call.integer_list(2);
  const std::int64_t regions = call.shape(1)[0], channels = x.shape()[1], height = x.shape()[2], width = x.shape()[3];
  call.require(static_cast<std::int64_t>(batches.size()) == regions, "batch_indices needs one index for each region");
  const std::int64_t out_h = call.integer("output_height", 1), out_w = call.integer("output_width", 1);
  const std::string mode = call.text("mode", "avg");
  call.require(mode == "avg" || mode == "max", "mode '" + mode + "' is not known");
  call.ignore({"coordinate_transformation_mode", "spatial_scale", "sampling_ratio"});  // read region by region
  Tensor<T>& y = call.template output_like<T>(0, {regions, channels, out_h, out_w});
  double flops = 0;
  for (std::int64_t n = 0; n < regions; ++n) {
    const std::int64_t batch = batches[static_cast<std::size_t>(n)];
    call.require(batch >= 0 && batch < x.shape()[0], "a batch index is outside X");
    const Region<T> region = read_region(call, n, out_h, out_w);
    flops += 8.0 * static_cast<double>(region.samples_h * region.samples_w * channels * out_h * out_w);
    for (std::int64_t bin = 0; bin < out_h * out_w; ++bin) {
      const Samples<T> samples = bin_samples(region, bin / out_w, bin % out_w, height, width);
      for (std::int64_t c = 0; c < channels; ++c)
        y.data()[(n * channels + c) * out_h * out_w + bin] =
            pool_bin(samples, x.data() + (batch * channels + c) * height * width, mode == "avg");
    }
  }
  call.flops(flops);
});

/// The elements that one bin of a region covers along an axis: bin `i` of `bins`, the region from `low` to
/// `high` scaled and rounded to whole elements, clipped to `extent`.
std::pair<std::int64_t, std::int64_t> whole_bin(double low, double high, double scale, std::int64_t i, std::int64_t bins,
                                                std::int64_t extent) {
  const double start = std::round(low * scale), size = std::max(std::round(high * scale) - start + 1, 1.0),
               bin = size / static_cast<double>(bins);
  const auto clipped = [&](double x) { return static_cast<std::int64_t>(std::clamp(x + start, 0.0, static_cast<double>(extent))); };
  return {clipped(std::floor(static_cast<double>(i) * bin)), clipped(std::ceil(static_cast<double>(i + 1) * bin))};
}

/// The largest element of each bin of each region of whole elements; an empty bin gives 0. X [N, C, H, W],
/// rois [R, 5] as batch, x1, y1, x2, y2 -> [R, C, pooled_shape...]. ONNX MaxRoiPool, opset 1 (Girshick, "Fast
/// R-CNN", 2015).
const bool max_roi_pool = define({.name = "MaxRoiPool", .specials = Specials::infinite}, [](auto& call) {
  using T = typename std::decay_t<decltype(call)>::Scalar;
  const Tensor<T>& x = call.reals(0);
  call.require(x.rank() == 4 && call.shape(1).size() == 2 && call.shape(1)[1] == 5, "X must be [N, C, H, W], rois [R, 5]");
  const Shape pooled = call.integer_list("pooled_shape");
  call.require(pooled.size() == 2 && pooled[0] > 0 && pooled[1] > 0, "pooled_shape must be two positive extents");
  const double scale = call.real("spatial_scale", 1.0);
  const std::int64_t regions = call.shape(1)[0], channels = x.shape()[1], height = x.shape()[2], width = x.shape()[3];
  Tensor<T>& y = call.template output_like<T>(0, {regions, channels, pooled[0], pooled[1]});
  T* to = y.data();
  double elements = 0;
  for (std::int64_t r = 0; r < regions; ++r) {
    std::array<double, 5> roi;
    for (std::size_t i = 0; i < 5; ++i) roi[i] = value_of(call.reals(1).data()[static_cast<std::size_t>(r) * 5 + i]);
    call.require(roi[0] >= 0 && roi[0] < static_cast<double>(x.shape()[0]), "a region's batch index is outside X");
    const T* image = x.data() + static_cast<std::int64_t>(roi[0]) * channels * height * width;
    for (std::int64_t c = 0; c < channels; ++c, image += height * width)
      for (std::int64_t bin = 0; bin < pooled[0] * pooled[1]; ++bin) {
        const auto [top, bottom] = whole_bin(roi[2], roi[4], scale, bin / pooled[1], pooled[0], height);
        const auto [left, right] = whole_bin(roi[1], roi[3], scale, bin % pooled[1], pooled[1], width);
        T most = T(0);
        for (std::int64_t i = top; i < bottom; ++i)
          for (std::int64_t j = left; j < right; ++j)
            most = i == top && j == left ? image[i * width + j] : maximum(most, image[i * width + j]);
        elements += static_cast<double>((bottom - top) * (right - left));
        *to++ = most;
      }
  }
  call.flops(elements);
});

/// fold() with each output as one sum, so that its order and its error scale are those of a sum.
template <class T>
void fold_by_sums(const Window& w, const T* columns, std::int64_t channels, T* image) {
  const std::int64_t plane = element_count(w.input), outputs = element_count(w.output);
  std::vector<std::vector<std::int64_t>> terms(static_cast<std::size_t>(plane));
  for_each_tap(
      w, 0, outputs,
      [&](std::int64_t tap, std::int64_t o, std::int64_t count, std::int64_t to, std::int64_t stride) {
        for (std::int64_t i = 0; i < count; ++i) terms[static_cast<std::size_t>(to + i * stride)].push_back(tap * outputs + o + i);
      },
      [](std::int64_t, std::int64_t, std::int64_t) {});
  for (std::int64_t c = 0; c < channels; ++c, image += plane, columns += w.taps() * outputs)
    for (std::size_t p = 0; p < terms.size(); ++p)
      image[p] = sum<T>(static_cast<std::int64_t>(terms[p].size()),
                        [&](std::int64_t i) { return columns[terms[p][static_cast<std::size_t>(i)]]; });
}

/// The adjoint of im2col: overlapping blocks added into an image. input [N, C * block, L], image_shape,
/// block_shape -> [N, C, image_shape...]. ONNX Col2Im, opset 18.
const bool col2im = define({.name = "Col2Im", .specials = Specials::nan, .since = 18}, [](auto& call) {
  using T = typename std::decay_t<decltype(call)>::Scalar;
  const Tensor<T>& x = call.reals(0);
  const Shape image = call.integer_list(1), block = call.integer_list(2);
  call.require(image.size() == block.size() && !image.empty(), "image_shape and block_shape must have one rank");
  const Window w = read_window(call, image, block);
  const std::int64_t taps = w.taps();
  if (x.rank() != 3 || x.shape()[1] % taps != 0 || x.shape()[2] != element_count(w.output))
    call.fail(fmt::format("input must be [N, C * {}, {}], got {}", taps, element_count(w.output), to_string(x.shape())));
  const std::int64_t channels = x.shape()[0] * (x.shape()[1] / taps);
  Shape out{x.shape()[0], x.shape()[1] / taps};
  out.insert(out.end(), image.begin(), image.end());
  Tensor<T>& y = call.template output_like<T>(0, out);
  call.flops(static_cast<double>(x.size()));
  if (std::is_same_v<T, Bounded> || sum_order() != SumOrder::natural) return fold_by_sums(w, x.data(), channels, y.data());
  std::fill(y.begin(), y.end(), T(0));
  fold(w, x.data(), channels, y.data());
});

}  // namespace
}  // namespace assay::oracle

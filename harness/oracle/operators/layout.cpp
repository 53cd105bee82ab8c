// SPDX-License-Identifier: Apache-2.0
// Moving elements without changing them: Transpose, Concat, Split, Slice, Expand, Tile, DepthToSpace,
// SpaceToDepth, ReverseSequence. All but the last are one strided copy.
#include <fmt/core.h>

#include <numeric>

#include "elementwise.h"
#include "shape_list.h"
#include "strided.h"

namespace assay::oracle {
namespace {

/// Output 0 of shape `out`: element i of `extents` (row-major, as many as in `out`) is x[base + sum i_d
/// strides_d].
template <class C>
void gather_strided(C& call, const Shape& out, const Shape& extents, const Strides& strides, std::int64_t base = 0) {
  call.flops(0);
  call.visit(0, [&](const auto& x) {
    using E = std::decay_t<decltype(x[0])>;
    auto& y = call.template output_like<E>(0, out);
    copy_strided(extents, x.data() + base, strides, y.data(), row_major_strides(extents));
  });
}

/// Y[i_perm] = X[i]: dimension d of Y is dimension perm[d] of X; reversed by default. ONNX Transpose,
/// opset 1.
const bool transpose = define({.name = "Transpose", .specials = Specials::nan}, [](auto& call) {
  const Shape& shape = call.shape(0);
  std::vector<std::int64_t> reversed(shape.size());
  std::iota(reversed.rbegin(), reversed.rend(), 0);
  const auto perm = call.integer_list("perm", reversed);
  if (!std::is_permutation(perm.begin(), perm.end(), reversed.begin(), reversed.end()))
    call.fail(fmt::format("perm {} is no permutation of {} dimensions", to_string(perm), shape.size()));
  const Strides strides = row_major_strides(shape);
  Shape out;
  Strides from;
  for (const std::int64_t d : perm) {
    out.push_back(shape[static_cast<std::size_t>(d)]);
    from.push_back(strides[static_cast<std::size_t>(d)]);
  }
  gather_strided(call, out, out, from);
});

/// Inputs one after another along `axis`. ONNX Concat, opset 4.
const bool concat = define({.name = "Concat", .specials = Specials::nan, .since = 4}, [](auto& call) {
  Shape out = call.shape(0);
  const std::size_t axis = call.axis(call.integer("axis"), out.size());
  for (std::size_t i = 1; i < call.input_count(); ++i) {
    Shape like = call.shape(i);
    call.require(like.size() == out.size(), "inputs have different ranks");
    out[axis] += like[axis];
    like[axis] = out[axis];
    if (like != out) call.fail(fmt::format("input {} {} does not fit along axis {}", i, to_string(call.shape(i)), axis));
  }
  call.flops(0);
  const auto inner_from = out.begin() + static_cast<std::ptrdiff_t>(axis);
  const std::int64_t rows = element_count({out.begin(), inner_from}), row = element_count({inner_from, out.end()});
  call.visit(0, [&](const auto& first) {
    using E = std::decay_t<decltype(first[0])>;
    auto& y = call.template output_like<E>(0, out);
    std::int64_t at = 0;
    for (std::size_t i = 0; i < call.input_count(); ++i) {
      const auto* x = std::get_if<Tensor<E>>(&call.input(i).elements);
      call.require(x != nullptr, "inputs have different element types");
      const std::int64_t part = rows == 0 ? 0 : static_cast<std::int64_t>(x->size()) / rows;
      copy_strided({rows, part}, x->data(), {part, 1}, y.data() + at, {row, 1});
      at += part;
    }
  });
});

/// The extents of the parts that Split cuts `extent` into.
template <class C>
std::vector<std::int64_t> split_parts(const C& call, std::int64_t extent) {
  const auto outputs = static_cast<std::int64_t>(call.node().outputs.size());
  const std::int64_t wanted = call.integer("num_outputs", outputs);
  if (wanted != outputs) call.fail(fmt::format("num_outputs is {}, but the node has {} outputs", wanted, outputs));
  if (auto parts = list_argument(call, 1, "split")) {
    if (static_cast<std::int64_t>(parts->size()) != outputs || std::accumulate(parts->begin(), parts->end(), std::int64_t{0}) != extent)
      call.fail(fmt::format("split {} does not cut {} elements into {} outputs", to_string(*parts), extent, outputs));
    return *parts;
  }
  const std::int64_t each = (extent + outputs - 1) / outputs;
  std::vector<std::int64_t> parts(static_cast<std::size_t>(outputs), each);
  parts.back() = extent - each * (outputs - 1);  // the last may be smaller since opset 18
  call.require(parts.back() == each || (call.opset() >= 18 && parts.back() >= 0), "the axis does not split into equal parts");
  return parts;
}

/// Consecutive parts along `axis`, equal unless `split` says otherwise. ONNX Split, opset 2 (split an input
/// since 13).
const bool split = define({.name = "Split", .specials = Specials::nan, .since = 2}, [](auto& call) {
  const Shape& shape = call.shape(0);
  const std::size_t axis = call.axis(call.integer("axis", 0), shape.size());
  const auto parts = split_parts(call, shape[axis]);
  const auto inner_from = shape.begin() + static_cast<std::ptrdiff_t>(axis);
  const std::int64_t rows = element_count({shape.begin(), inner_from}), row = element_count({inner_from, shape.end()});
  call.flops(0);
  call.visit(0, [&](const auto& x) {
    using E = std::decay_t<decltype(x[0])>;
    std::int64_t at = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      Shape out = shape;
      out[axis] = parts[i];
      const std::int64_t part = shape[axis] == 0 ? 0 : row / shape[axis] * parts[i];
      if (call.wants(i) && rows == 1) {  // one piece of x: no copy of a model's weights
        call.put(i, {call.type(0), x.part(static_cast<std::size_t>(at), out)});
      } else if (call.wants(i)) {
        auto& y = call.template output_like<E>(i, out);
        copy_strided({rows, part}, x.data() + at, {row, 1}, y.data(), {part, 1});
      }
      at += part;
    }
  });
});

/// X[start : end : step] on each of `axes`, with NumPy's clamping. ONNX Slice, opset 1 (inputs since 10).
const bool slice = define({.name = "Slice", .specials = Specials::nan}, [](auto& call) {
  const Shape& shape = call.shape(0);
  const auto starts = list_argument(call, 1, "starts"), ends = list_argument(call, 2, "ends"), steps = list_argument(call, 4, "steps");
  call.require(starts && ends && starts->size() == ends->size(), "starts and ends must be lists of one length");
  std::vector<std::size_t> axes(starts->size());
  std::iota(axes.begin(), axes.end(), std::size_t{0});
  axes = axis_list(call, 3, shape.size()).value_or(axes);
  call.require(axes.size() == starts->size() && (!steps || steps->size() == axes.size()) && axes.size() <= shape.size(),
               "starts, ends, axes and steps must be lists of one length");
  Shape out = shape;
  Strides strides = row_major_strides(shape);
  std::int64_t base = 0;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::int64_t extent = shape[axes[i]], step = steps ? (*steps)[i] : 1;
    call.require(step != 0, "a step is 0");
    const std::int64_t low = step > 0 ? 0 : -1, high = step > 0 ? extent : extent - 1;
    const auto bound = [&](std::int64_t x) { return std::clamp(x < 0 ? x + extent : x, low, std::max(low, high)); };
    const std::int64_t start = bound((*starts)[i]), end = bound((*ends)[i]);
    const std::int64_t span = step > 0 ? end - start : start - end, stride = step > 0 ? step : -step;
    out[axes[i]] = span <= 0 ? 0 : (span - 1) / stride + 1;
    base += start * strides[axes[i]];
    strides[axes[i]] *= step;
  }
  gather_strided(call, out, out, strides, element_count(out) == 0 ? 0 : base);
});

/// X broadcast, both ways, against `shape`. ONNX Expand, opset 8.
const bool expand = define({.name = "Expand", .specials = Specials::nan, .since = 8}, [](auto& call) {
  Shape out;
  try {
    out = broadcast_shapes({call.shape(0), call.integer_list(1)});
  } catch (const std::invalid_argument& error) {
    call.fail(error.what());
  }
  gather_strided(call, out, out, broadcast_strides(call.shape(0), out));
});

/// X repeated repeats[d] times along each dimension d. ONNX Tile, opset 6.
const bool tile = define({.name = "Tile", .specials = Specials::nan, .since = 6}, [](auto& call) {
  const Shape& shape = call.shape(0);
  const auto repeats = call.integer_list(1);
  call.require(repeats.size() == shape.size(), "repeats needs one value for each dimension");
  const Strides strides = row_major_strides(shape);
  Shape out, extents;
  Strides from;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    out.push_back(shape[d] * repeats[d]);
    extents.insert(extents.end(), {repeats[d], shape[d]});
    from.insert(from.end(), {0, strides[d]});
  }
  gather_strided(call, out, extents, from);
});

template <class C>
std::int64_t block_size(const C& call) {
  call.require(call.shape(0).size() == 4, "input must be [N, C, H, W], got shape " + to_string(call.shape(0)));
  const std::int64_t block = call.integer("blocksize");
  call.require(block > 0, "blocksize must be positive");
  return block;
}

/// [N, C b b, H, W] -> [N, C, H b, W b]; mode DCR reads C's blocks first, CRD last. ONNX DepthToSpace,
/// opset 1.
const bool depth_to_space = define({.name = "DepthToSpace", .specials = Specials::nan}, [](auto& call) {
  const std::int64_t b = block_size(call);
  const Shape& s = call.shape(0);
  const std::string mode = call.text("mode", "DCR");
  call.require(mode == "DCR" || mode == "CRD", "mode '" + mode + "' is not known");
  call.require(s[1] % (b * b) == 0, "C must be a multiple of blocksize squared");
  const std::int64_t c = s[1] / (b * b), plane = s[2] * s[3];
  const std::int64_t channel = mode == "DCR" ? plane : b * b * plane, unit = mode == "DCR" ? c * plane : plane;
  gather_strided(call, {s[0], c, s[2] * b, s[3] * b}, {s[0], c, s[2], b, s[3], b}, {s[1] * plane, channel, s[3], b * unit, 1, unit});
});

/// [N, C, H b, W b] -> [N, b b C, H, W], the inverse of DepthToSpace in the same mode. ONNX SpaceToDepth,
/// opset 1.
const bool space_to_depth = define({.name = "SpaceToDepth", .specials = Specials::nan}, [](auto& call) {
  const std::int64_t b = block_size(call);
  const Shape& s = call.shape(0);
  const std::string mode = call.text("mode", "DCR");
  call.require(mode == "DCR" || mode == "CRD", "mode '" + mode + "' is not known");
  call.require(s[2] % b == 0 && s[3] % b == 0, "H and W must be multiples of blocksize");
  const std::int64_t plane = s[2] * s[3], all = s[1] * plane;
  const Shape out{s[0], s[1] * b * b, s[2] / b, s[3] / b};
  if (mode == "DCR") gather_strided(call, out, {s[0], b, b, s[1], s[2] / b, s[3] / b}, {all, s[3], 1, plane, b * s[3], b});
  else gather_strided(call, out, {s[0], s[1], b, b, s[2] / b, s[3] / b}, {all, plane, s[3], 1, b * s[3], b});
});

/// Reverses the first sequence_lens[n] steps of each batch entry n. ONNX ReverseSequence, opset 10.
const bool reverse_sequence = define({.name = "ReverseSequence", .specials = Specials::nan, .since = 10}, [](auto& call) {
  const Shape& shape = call.shape(0);
  const auto lengths = call.integer_list(1);
  const std::int64_t batch_axis = call.integer("batch_axis", 1), time_axis = call.integer("time_axis", 0);
  call.require(shape.size() >= 2 && batch_axis + time_axis == 1 && batch_axis * time_axis == 0,
               "batch_axis and time_axis must be 0 and 1, or 1 and 0");
  const std::int64_t batch = shape[static_cast<std::size_t>(batch_axis)], steps = shape[static_cast<std::size_t>(time_axis)];
  call.require(static_cast<std::int64_t>(lengths.size()) == batch, "sequence_lens needs one length for each batch entry");
  const std::int64_t inner = element_count({shape.begin() + 2, shape.end()});
  const std::int64_t by_batch = batch_axis == 0 ? steps * inner : inner, by_step = time_axis == 0 ? batch * inner : inner;
  call.flops(0);
  call.visit(0, [&](const auto& x) {
    auto& y = call.template output_like<std::decay_t<decltype(x[0])>>(0, shape);
    for (std::int64_t n = 0; n < batch; ++n) {
      const std::int64_t length = lengths[static_cast<std::size_t>(n)];
      call.require(length >= 0 && length <= steps, "a sequence is longer than the tensor");
      for (std::int64_t t = 0; t < steps; ++t) {
        const std::int64_t from = t < length ? length - 1 - t : t;
        std::copy_n(x.data() + n * by_batch + from * by_step, inner, y.data() + n * by_batch + t * by_step);
      }
    }
  });
});

}  // namespace
}  // namespace assay::oracle

// SPDX-License-Identifier: Apache-2.0
// Making tensors and viewing them under another type or shape: Constant, Range, EyeLike; Cast; Reshape,
// Squeeze, ... What moves elements is in layout.cpp.
#include <fmt/core.h>

#include <bit>
#include <cmath>
#include <limits>

#include "assay/spec/float8.h"
#include "assay/spec/half.h"
#include "elementwise.h"
#include "shape_list.h"

namespace assay::oracle {
namespace {

/// Output i of any type, element by element from at(i): a number that the type holds.
template <class C, class At>
void produce(C& call, Shape shape, ElementType type, At&& at) {
  using T = typename C::Scalar;
  const auto fill = [&](auto& out) {
    using E = std::decay_t<decltype(out[0])>;
    for (std::size_t n = 0; n < out.size(); ++n) {
      if constexpr (std::is_same_v<E, Bounded>) out[n] = Bounded(static_cast<double>(at(n)));
      else out[n] = static_cast<E>(at(n));
    }
  };
  switch (info(type).element_class) {
    case ElementClass::real: return fill(call.template output<T>(0, std::move(shape), type));
    case ElementClass::integer: return fill(call.integers_out(0, std::move(shape), type));
    case ElementClass::boolean: return fill(call.booleans_out(0, std::move(shape)));
  }
}

template <class C>
void produce(C& call, Shape shape, const ConstantTensor& constant, bool spread) {
  if (info(constant.type).element_class == ElementClass::real)
    produce(call, std::move(shape), constant.type, [&](std::size_t i) { return constant.reals[spread ? 0 : i]; });
  else produce(call, std::move(shape), constant.type, [&](std::size_t i) { return constant.integers[spread ? 0 : i]; });
}

template <class C>
ElementType element_type(const C& call, const std::string& attribute, ElementType fallback) {
  if (!call.has_attribute(attribute)) return fallback;
  const std::int64_t number = call.integer(attribute);
  const ElementTypeInfo* found = element_type_from_onnx(static_cast<int>(number));
  if (found == nullptr) call.fail(fmt::format("attribute '{}': element type {} is not supported", attribute, number));
  return found->type;
}

/// The value of exactly one attribute: value, value_float, value_floats, value_int, value_ints. ONNX
/// Constant, opset 1.
const bool constant = define({.name = "Constant", .specials = Specials::nan}, [](auto& call) {
  call.flops(0);
  if (const auto* value = call.template attribute_if<ConstantTensor>("value")) return produce(call, value->shape, *value, false);
  ConstantTensor made;
  if (call.has_attribute("value_float")) made.reals = {call.real("value_float")};
  else if (call.has_attribute("value_floats")) made.reals = call.real_list("value_floats");
  else {
    made.type = ElementType::i64;
    if (call.has_attribute("value_int")) made.integers = {call.integer("value_int")};
    else if (call.has_attribute("value_ints")) made.integers = call.integer_list("value_ints");
    else call.fail("needs a tensor or number: value, value_float(s) or value_int(s)");
  }
  if (call.has_attribute("value_floats") || call.has_attribute("value_ints"))
    made.shape = {static_cast<std::int64_t>(made.reals.size() + made.integers.size())};
  produce(call, made.shape, made, false);
});

/// A tensor of the given shape, every element `value` (float 0 by default). ONNX ConstantOfShape, opset 9.
const bool constant_of_shape = define({.name = "ConstantOfShape", .specials = Specials::nan, .since = 9}, [](auto& call) {
  ConstantTensor value;
  value.reals = {0};
  if (const auto* given = call.template attribute_if<ConstantTensor>("value")) value = *given;
  call.flops(0);
  produce(call, call.integer_list(0), value, true);
});

/// start, start + delta, ... up to limit, exclusive. ONNX Range, opset 11.
const bool range = define({.name = "Range", .specials = Specials::finite, .since = 11}, [](auto& call) {
  using T = typename std::decay_t<decltype(call)>::Scalar;
  for (std::size_t i = 0; i < 3; ++i) call.require(element_count(call.shape(i)) == 1, "start, limit and delta must be one number each");
  const auto run = [&](auto start, auto limit, auto delta, ElementType type) {
    using E = decltype(start);
    call.require(delta != E(0), "delta must not be 0");
    const double count = [&] {
      if constexpr (std::is_same_v<E, std::int64_t>)
        return static_cast<double>((limit - start) / delta + ((limit - start) % delta != 0 && (limit > start) == (delta > 0)));
      else return std::ceil((value_of(limit) - value_of(start)) / value_of(delta));
    }();
    auto& y = call.template output<E>(0, {std::max<std::int64_t>(0, static_cast<std::int64_t>(count))}, type);
    for (std::size_t i = 0; i < y.size(); ++i) {
      if constexpr (std::is_same_v<E, std::int64_t>) y[i] = start + static_cast<std::int64_t>(i) * delta;
      else y[i] = start + E(static_cast<T>(static_cast<double>(i))) * delta;
    }
  };
  if (info(call.type(0)).element_class == ElementClass::integer)
    run(call.integers(0)[0], call.integers(1)[0], call.integers(2)[0], call.type(0));
  else run(call.reals(0)[0], call.reals(1)[0], call.reals(2)[0], call.type(0));
});

/// 1 on the k-th diagonal of a matrix of the input's shape, 0 elsewhere. ONNX EyeLike, opset 9.
const bool eye_like = define({.name = "EyeLike", .specials = Specials::nan, .since = 9}, [](auto& call) {
  const Shape& shape = call.shape(0);
  call.require(shape.size() == 2, "input must have rank 2, got shape " + to_string(shape));
  const std::int64_t k = call.integer("k", 0);
  produce(call, shape, element_type(call, "dtype", call.type(0)), [&](std::size_t i) {
    const auto at = static_cast<std::int64_t>(i);
    return std::int64_t{at % shape[1] - at / shape[1] == k};
  });
});

/// x rounded to float16, bfloat16 or, saturated or not, to 8 bits: the same in every arithmetic, unless an error of x's own reaches the
/// middle between two.
template <class T>
T stored_in(T x, ElementType to, bool saturates) {
  const auto store = [=](double v) { return spec::stored_as(saturates ? spec::saturated(v, to) : v, to); };
  if constexpr (std::is_same_v<T, Bounded>) return stepped(x, store);
  else return static_cast<T>(store(value_of(x)));
}

/// An integer or boolean as a real; `open` as in Value.
template <class T, class From>
T real_of(From e, std::uint8_t open) {
  if constexpr (std::is_same_v<T, Bounded>) {
    const Bounded exact(static_cast<double>(e));
    if (open > 1) return {exact.value, std::numeric_limits<double>::infinity()};
    return open != 0 ? either(exact, Bounded(exact.value + 1)) : exact;
  } else {
    return static_cast<T>(e);
  }
}

/// Which reals is_open(x) says that their errors leave open.
template <class From, class IsOpen>
std::vector<std::uint8_t> open_where(const Tensor<From>& x, IsOpen is_open) {
  std::vector<std::uint8_t> open;
  if constexpr (std::is_same_v<From, Bounded>)
    for (const Bounded& e : x) open.push_back(is_open(e) ? 1 : 0);
  return open;
}

template <class C>
void cast(C& call, ElementType to) {
  using T = typename C::Scalar;
  call.ignore({"round_mode"});  // of float8e8m0 alone
  const bool saturates = call.integer("saturate", 1) != 0 && is_float8(to);
  if (to == call.type(0)) return call.forward(0, 0, call.shape(0));
  const std::vector<std::uint8_t>& open = call.open(0);
  call.visit(0, [&](const auto& x) {
    using From = std::decay_t<decltype(x[0])>;
    switch (info(to).element_class) {
      case ElementClass::real: {
        Tensor<T>& y = call.template output<T>(0, x.shape(), to);
        if constexpr (std::is_same_v<From, T>) {
          const bool is_short = is_short_real(to) && !call.rounds(to);
          const bool narrows = std::is_same_v<T, Bounded> && size_of(to) < size_of(call.type(0));
          return map(x, y, [=](From e) -> T {
            if (is_short) return stored_in(e, to, saturates);
            if constexpr (std::is_same_v<T, Bounded>) return narrows ? rounded(e.value, e.error) : e;
            else return e;
          });
        } else {
          for (std::size_t i = 0; i < x.size(); ++i) {
            y[i] = real_of<T>(x[i], open.empty() ? 0 : open[i]);
            if (is_float8(to)) y[i] = stored_in(y[i], to, saturates);
          }
          return;
        }
      }
      case ElementClass::integer:
        map(x, call.integers_out(0, x.shape(), to), [](From e) {
          if constexpr (std::is_integral_v<From>) return static_cast<std::int64_t>(e);
          else return static_cast<std::int64_t>(value_of(e));
        });
        return call.leave_open(0, open.empty() ? open_where(x, [](Bounded e) { return trunc(e).error > 0; }) : open);
      case ElementClass::boolean:
        map(x, call.booleans_out(0, x.shape()), [](From e) { return e != From(0); });
        return call.leave_open(0, open.empty() ? open_where(x, [](Bounded e) { return open_between(e, 0.0); }) : open);
    }
  });
}

/// Elements as another type: towards zero from reals to integers, wrapped to the integer's width, non-zero is
/// true. float16, bfloat16 and floats of 8 bits round; float over double is the oracle's own arithmetic. ONNX Cast (opset 1),
/// CastLike (opset 15).
const bool casts[] = {
    define({.name = "Cast", .specials = Specials::finite},
           [](auto& call) {
             call.require(call.has_attribute("to"), "attribute 'to' is required");
             cast(call, element_type(call, "to", ElementType::f32));
           }),
    define({.name = "CastLike", .specials = Specials::finite, .since = 15}, [](auto& call) { cast(call, call.type(1)); }),
};

template <class E>
std::uint64_t bits_of(E element, ElementType type) {
  if constexpr (std::is_integral_v<E>) {
    return static_cast<std::uint64_t>(element);
  } else {
    const double x = value_of(element);
    switch (type) {
      case ElementType::f64: return std::bit_cast<std::uint64_t>(x);
      case ElementType::f32: return std::bit_cast<std::uint32_t>(static_cast<float>(x));
      default: return spec::bits_from_double(x, type);
    }
  }
}

double real_from_bits(std::uint64_t bits, ElementType type) {
  switch (type) {
    case ElementType::f64: return std::bit_cast<double>(bits);
    case ElementType::f32: return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    default: return spec::double_from_bits(static_cast<std::uint16_t>(bits), type);
  }
}

/// Each element's bits read as another type of the same width. ONNX BitCast, opset 26.
const bool bit_cast = define({.name = "BitCast", .specials = Specials::finite, .since = 26}, [](auto& call) {
  const ElementType from = call.type(0);
  call.require(call.has_attribute("to"), "attribute 'to' is required");
  const ElementType to = element_type(call, "to", from);
  call.require(size_of(from) == size_of(to), fmt::format("{} and {} differ in width", info(from).onnx_name, info(to).onnx_name));
  call.flops(0);
  call.visit(0, [&](const auto& x) {
    const auto bits = [&](std::size_t i) { return bits_of(x[i], from); };
    if (info(to).element_class == ElementClass::real)
      return produce(call, x.shape(), to, [&](std::size_t i) { return real_from_bits(bits(i), to); });
    produce(call, x.shape(), to, [&](std::size_t i) { return static_cast<std::int64_t>(bits(i)); });
    // Bits of a number that is not known to the last bit say nothing.
    if constexpr (std::is_same_v<std::decay_t<decltype(x[0])>, Bounded>)
      if (std::any_of(x.begin(), x.end(), [](Bounded e) { return e.error > 0; })) call.leave_all_open();
  });
});

/// The same elements under another shape: 0 keeps an extent (unless allowzero), one -1 is inferred. ONNX
/// Reshape, opset 1.
const bool reshape = define({.name = "Reshape", .specials = Specials::nan}, [](auto& call) {
  const Shape& from = call.shape(0);
  Shape to = call.has_input(1) ? call.integer_list(1) : call.integer_list("shape");
  const bool keep_zero = call.integer("allowzero", 0) == 0;
  std::int64_t known = 1, inferred = -1;
  for (std::size_t d = 0; d < to.size(); ++d) {
    if (to[d] == 0 && keep_zero) {
      call.require(d < from.size(), "shape keeps a dimension that the input does not have");
      to[d] = from[d];
    }
    call.require(to[d] >= -1 && (to[d] != -1 || inferred < 0), "shape " + to_string(to) + " has more than one extent to infer");
    if (to[d] == -1) inferred = static_cast<std::int64_t>(d);
    else known *= to[d];
  }
  if (inferred >= 0) {
    call.require(known != 0, "shape " + to_string(to) + ": nothing to infer -1 from");
    to[static_cast<std::size_t>(inferred)] = element_count(from) / known;
  }
  call.forward(0, 0, to);
});

/// [d_0 ... d_axis-1, d_axis ... d_n-1], both products. ONNX Flatten, opset 1.
const bool flatten = define({.name = "Flatten", .specials = Specials::nan}, [](auto& call) {
  const Shape& shape = call.shape(0);
  const auto rank = static_cast<std::int64_t>(shape.size());
  const std::int64_t given = call.integer("axis", 1), axis = given < 0 ? given + rank : given;
  call.require(axis >= 0 && axis <= rank, fmt::format("axis {} is outside a tensor of rank {}", given, rank));
  call.forward(0, 0, {element_count({shape.begin(), shape.begin() + axis}), element_count({shape.begin() + axis, shape.end()})});
});

/// Drops extents of 1: those in `axes`, or all. ONNX Squeeze, opset 1 (axes an input since 13).
const bool squeeze = define({.name = "Squeeze", .specials = Specials::nan}, [](auto& call) {
  const Shape& shape = call.shape(0);
  const auto axes = axis_list(call, 1, shape.size());
  Shape to;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const bool goes = axes ? std::find(axes->begin(), axes->end(), d) != axes->end() : shape[d] == 1;
    if (goes && shape[d] != 1) call.fail(fmt::format("dimension {} of {} is not 1", d, to_string(shape)));
    if (!goes) to.push_back(shape[d]);
  }
  call.forward(0, 0, to);
});

/// Inserts extents of 1 so that they stand at `axes` of the output. ONNX Unsqueeze, opset 1 (axes an input
/// since 13).
const bool unsqueeze = define({.name = "Unsqueeze", .specials = Specials::nan}, [](auto& call) {
  const Shape& shape = call.shape(0);
  const std::size_t given = call.has_input(1) ? call.integers(1).size() : call.integer_list("axes").size();
  auto axes = axis_list(call, 1, shape.size() + given);
  call.require(axes.has_value(), "axes are required");
  std::sort(axes->begin(), axes->end());
  call.require(std::adjacent_find(axes->begin(), axes->end()) == axes->end(), "axes repeat");
  Shape to = shape;
  for (const std::size_t axis : *axes) to.insert(to.begin() + static_cast<std::ptrdiff_t>(axis), 1);
  call.forward(0, 0, to);
});

/// The input's extents [start, end) as int64. ONNX Shape, opset 1 (start, end since 15).
const bool shape_of = define({.name = "Shape", .specials = Specials::nan}, [](auto& call) {
  const Shape& shape = call.shape(0);
  const auto rank = static_cast<std::int64_t>(shape.size());
  const auto bound = [rank](std::int64_t x) { return std::clamp<std::int64_t>(x < 0 ? x + rank : x, 0, rank); };
  const std::int64_t start = bound(call.integer("start", 0)), end = std::max(start, bound(call.integer("end", rank)));
  call.flops(0);
  std::copy(shape.begin() + start, shape.begin() + end, call.integers_out(0, {end - start}).begin());
});

/// The number of elements as int64. ONNX Size, opset 1.
const bool size = define({.name = "Size", .specials = Specials::nan}, [](auto& call) {
  call.flops(0);
  call.integers_out(0, {})[0] = element_count(call.shape(0));
});

/// y = x. ONNX Identity, opset 1.
const bool identity = define({.name = "Identity", .specials = Specials::nan}, [](auto& call) { call.forward(0, 0, call.shape(0)); });

/// Inference: y = x, mask all true. Training draws random numbers, which no oracle can predict. ONNX Dropout,
/// opset 7.
const bool dropout = define({.name = "Dropout", .specials = Specials::nan, .since = 7}, [](auto& call) {
  call.ignore({"seed", "ratio", "is_test"});  // of drawing; before opset 12 the ratio, before 7 the mode
  const bool training = call.has_input(2) && call.booleans(2)[0] != 0;
  const bool keeps_all = call.has_input(1) && call.reals(1).size() == 1 && value_of(call.reals(1)[0]) == 0;
  call.require(!training || keeps_all, "training_mode draws at random: only inference has one right result");
  call.forward(0, 0, call.shape(0));
  if (!call.wants(1)) return;
  Booleans& mask = call.booleans_out(1, call.shape(0));
  std::fill(mask.begin(), mask.end(), std::uint8_t{1});
});

}  // namespace
}  // namespace assay::oracle

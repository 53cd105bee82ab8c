// SPDX-License-Identifier: Apache-2.0
#include "assay/oracle/storage.h"

#include <stdexcept>

#include "assay/oracle/bounded.h"
#include "assay/spec/half.h"

namespace assay::oracle {
namespace {

template <class T, class Stored>
Tensor<T> loaded(const Shape& shape, const void* data) {
  auto* from = const_cast<Stored*>(static_cast<const Stored*>(data));  // a view has one type, readable or not
  if constexpr (std::is_same_v<T, Stored>) {
    return Tensor<T>(shape, from);
  } else {
    Tensor<T> tensor(shape);
    for (std::size_t i = 0; i < tensor.size(); ++i) tensor[i] = static_cast<T>(from[i]);
    return tensor;
  }
}

template <class T, class Stored>
Tensor<T> decoded(ElementType type, const Shape& shape, const void* data) {
  const auto* from = static_cast<const Stored*>(data);
  Tensor<T> tensor(shape);
  for (std::size_t i = 0; i < tensor.size(); ++i) tensor[i] = static_cast<T>(spec::double_from_bits(from[i], type));
  return tensor;
}

template <class Stored, class From, class Convert>
void store_elements(const Tensor<From>& from, void* to, Convert convert) {
  if (static_cast<const void*>(from.data()) == to) return;
  auto* out = static_cast<Stored*>(to);
  for (std::size_t i = 0; i < from.size(); ++i) out[i] = static_cast<Stored>(convert(from[i]));
}

double as_double(double x) { return x; }
double as_double(Bounded x) { return x.value; }

template <class T>
void store_reals(const Tensor<T>& from, ElementType type, void* to) {
  const auto number = [](T x) {
    if constexpr (std::is_same_v<T, float>) return x;
    else return spec::stored_as(as_double(x), ElementType::f32);
  };
  const auto bits = [type](T x) { return spec::bits_from_double(as_double(x), type); };
  switch (type) {
    case ElementType::f32: return store_elements<float>(from, to, number);
    case ElementType::f64: return store_elements<double>(from, to, [](T x) { return as_double(x); });
    case ElementType::f16:
    case ElementType::bf16: return store_elements<std::uint16_t>(from, to, bits);
    case ElementType::f8e4m3:
    case ElementType::f8e5m2: return store_elements<std::uint8_t>(from, to, bits);
    default: throw std::invalid_argument("store: reals as " + std::string(info(type).onnx_name));
  }
}

void store_integers(const Integers& from, ElementType type, void* to) {
  const auto same = [](std::int64_t x) { return x; };
  switch (size_of(type)) {  // the low bytes are the same, signed or not
    case 1: return store_elements<std::uint8_t>(from, to, same);
    case 2: return store_elements<std::uint16_t>(from, to, same);
    case 4: return store_elements<std::uint32_t>(from, to, same);
    default: return store_elements<std::int64_t>(from, to, same);
  }
}

}  // namespace

template <class T>
Value<T> load_value(ElementType type, const Shape& shape, const void* data) {
  switch (type) {
    case ElementType::f32: return {type, loaded<T, float>(shape, data)};
    case ElementType::f64: return {type, loaded<T, double>(shape, data)};
    case ElementType::f16:
    case ElementType::bf16: return {type, decoded<T, std::uint16_t>(type, shape, data)};
    case ElementType::f8e4m3:
    case ElementType::f8e5m2: return {type, decoded<T, std::uint8_t>(type, shape, data)};
    case ElementType::i8: return {type, loaded<std::int64_t, std::int8_t>(shape, data)};
    case ElementType::i16: return {type, loaded<std::int64_t, std::int16_t>(shape, data)};
    case ElementType::i32: return {type, loaded<std::int64_t, std::int32_t>(shape, data)};
    case ElementType::i64:
    case ElementType::u64: return {type, loaded<std::int64_t, std::int64_t>(shape, data)};
    case ElementType::u8: return {type, loaded<std::int64_t, std::uint8_t>(shape, data)};
    case ElementType::u16: return {type, loaded<std::int64_t, std::uint16_t>(shape, data)};
    case ElementType::u32: return {type, loaded<std::int64_t, std::uint32_t>(shape, data)};
    case ElementType::boolean: break;
  }
  return {type, loaded<std::uint8_t, std::uint8_t>(shape, data)};
}

template <class T>
void store_value(const Value<T>& value, ElementType type, void* to) {
  if (const auto* reals = std::get_if<Tensor<T>>(&value.elements)) return store_reals(*reals, type, to);
  if (const auto* integers = std::get_if<Integers>(&value.elements)) return store_integers(*integers, type, to);
  store_elements<std::uint8_t>(std::get<Booleans>(value.elements), to, [](std::uint8_t x) { return x; });
}

template Value<float> load_value(ElementType, const Shape&, const void*);
template Value<double> load_value(ElementType, const Shape&, const void*);
template Value<Bounded> load_value(ElementType, const Shape&, const void*);
template void store_value(const Value<float>&, ElementType, void*);
template void store_value(const Value<double>&, ElementType, void*);
template void store_value(const Value<Bounded>&, ElementType, void*);

}  // namespace assay::oracle

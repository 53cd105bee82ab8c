// SPDX-License-Identifier: Apache-2.0
// What a Call does, compiled once for each of the three scalars: every family calls it, none needs its body.
#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "assay/oracle/operator.h"
#include "assay/spec/float8.h"

namespace assay::oracle {
namespace {

const char* kind_of(const Attribute& attribute) {
  constexpr const char* kinds[] = {"an integer", "a float",  "a string", "integers",     "floats",
                                   "strings",    "a tensor", "a graph",  "of dimensions"};
  return kinds[attribute.index()];
}

template <class A, class T>
A attribute_or(const Call<T>& call, const std::string& name, const std::optional<A>& fallback) {
  if (const A* value = call.template attribute_if<A>(name)) return *value;
  if (!fallback) call.fail(fmt::format("attribute '{}' is required", name));
  return *fallback;
}

}  // namespace

template <class T>
const Value<T>& Call<T>::input(std::size_t i) const {
  if (!has_input(i)) fail(fmt::format("input {} is missing", i));
  return *inputs_[i];
}

template <class T>
template <class V>
const V& Call<T>::as(std::size_t i, const char* wanted) const {
  if (is_float8(type(i)))
    fail(fmt::format("input {} is {}, which no operator computes with. do: cast it to float first", i, info(type(i)).onnx_name));
  const V* tensor = std::get_if<V>(&input(i).elements);
  if (tensor == nullptr) fail(fmt::format("input {} must be a {} tensor, got {}", i, wanted, info(type(i)).onnx_name));
  return *tensor;
}

template <class T>
std::vector<std::int64_t> Call<T>::integer_list(std::size_t i) const {
  const Integers& list = integers(i);
  if (list.rank() > 1) fail(fmt::format("input {} must be a list of integers, got shape {}", i, to_string(list.shape())));
  return {list.begin(), list.end()};
}

template <class T>
const std::vector<std::uint8_t>& Call<T>::open(std::size_t i) const {
  opens_handled_[i] = true;
  return input(i).open;
}

template <class T>
const Attribute* Call<T>::find_attribute(const std::string& name) const {
  const auto found = node_.attributes.find(name);
  if (found == node_.attributes.end()) return nullptr;
  attributes_read_.push_back(&found->second);
  return &found->second;
}

template <class T>
template <class A>
const A* Call<T>::attribute_if(const std::string& name) const {
  const Attribute* found = find_attribute(name);
  if (found == nullptr) return nullptr;
  const A* value = std::get_if<A>(found);
  if (value == nullptr) fail(fmt::format("attribute '{}' must be {}, got {}", name, kind_of(Attribute(A{})), kind_of(*found)));
  return value;
}

template <class T>
const Graph& Call<T>::graph(const std::string& name) const {
  const auto* body = attribute_if<std::shared_ptr<const Graph>>(name);
  if (body == nullptr) fail(fmt::format("attribute '{}' is required: a graph", name));
  return **body;
}

template <class T>
std::int64_t Call<T>::integer(const std::string& name, std::optional<std::int64_t> fallback) const {
  return attribute_or(*this, name, fallback);
}
template <class T>
double Call<T>::real(const std::string& name, std::optional<double> fallback) const {
  return attribute_or(*this, name, fallback);
}
template <class T>
std::string Call<T>::text(const std::string& name, std::optional<std::string> fallback) const {
  return attribute_or(*this, name, fallback);
}
template <class T>
std::vector<std::int64_t> Call<T>::integer_list(const std::string& name, std::vector<std::int64_t> fallback) const {
  return attribute_or(*this, name, std::optional(std::move(fallback)));
}
template <class T>
std::vector<double> Call<T>::real_list(const std::string& name, std::vector<double> fallback) const {
  return attribute_or(*this, name, std::optional(std::move(fallback)));
}

template <class T>
template <class E>
Tensor<E>& Call<T>::output(std::size_t i, Shape shape, ElementType type) {
  if (i >= outputs_.size()) outputs_.resize(i + 1);
  for (const std::int64_t extent : shape) require(extent >= 0, "output shape " + to_string(shape) + " has a negative extent");
  if constexpr (std::is_same_v<E, T>) {
    if (i < placements_.size() && placements_[i] != nullptr) {
      outputs_[i] = Value<T>{type, Tensor<E>(std::move(shape), placements_[i])};
      return std::get<Tensor<E>>(outputs_[i]->elements);
    }
  }
  outputs_[i] = Value<T>{type, Tensor<E>(std::move(shape))};
  return std::get<Tensor<E>>(outputs_[i]->elements);
}

template <class T>
void Call<T>::put(std::size_t i, Value<T> value) {
  if (i >= outputs_.size()) outputs_.resize(i + 1);
  outputs_[i] = std::move(value);
}

template <class T>
void Call<T>::leave_open(std::size_t i, std::vector<std::uint8_t> which) {
  const bool any = std::any_of(which.begin(), which.end(), [](std::uint8_t open) { return open != 0; });
  if (any) outputs_.at(i)->open = std::move(which);
}

template <class T>
void Call<T>::forward(std::size_t i, std::size_t j, Shape shape) {
  if (element_count(shape) != element_count(input(j).shape()))
    fail(fmt::format("cannot view shape {} as {}", to_string(input(j).shape()), to_string(shape)));
  if (i >= outputs_.size()) outputs_.resize(i + 1);
  visit(j, [&](const auto& tensor) { outputs_[i] = Value<T>{type(j), tensor.reshaped(std::move(shape)), open(j)}; });
  if (!flops_) flops_ = 0;
  moves_nothing();
}

template <class T>
std::size_t Call<T>::axis(std::int64_t axis, std::size_t rank) const {
  const auto extent = static_cast<std::int64_t>(rank);
  if (axis < -extent || axis >= extent) fail(fmt::format("axis {} is outside a tensor of rank {}", axis, rank));
  return static_cast<std::size_t>(axis < 0 ? axis + extent : axis);
}

template <class T>
ElementType Call<T>::real_type() const {
  for (const Value<T>* value : inputs_)
    if (value != nullptr && info(value->type).element_class == ElementClass::real) return value->type;
  return ElementType::f32;
}

template <class T>
void Call<T>::require_all_used() const {
  for (const auto& [name, value] : node_.attributes)
    if (std::find(attributes_read_.begin(), attributes_read_.end(), &value) == attributes_read_.end())
      fail(fmt::format("attribute '{}' is unknown at opset {}. do: check its spelling, or remove it", name, opset_));
  for (std::size_t i = 0; i < inputs_.size(); ++i)
    if (inputs_[i] != nullptr && !read_[i])
      fail(fmt::format("input {} ('{}') has no use at opset {}. do: remove it", i, node_.inputs[i], opset_));
}

template <class T>
void Call<T>::spread_open() {
  if constexpr (std::is_same_v<T, Bounded>) {
    bool unheeded = all_open_;
    for (std::size_t i = 0; i < inputs_.size(); ++i) unheeded |= inputs_[i] != nullptr && !inputs_[i]->open.empty() && !opens_handled_[i];
    if (!unheeded) return;
    for (auto& value : outputs_) {
      if (!value) continue;
      if (auto* reals = std::get_if<Tensor<T>>(&value->elements)) {
        Tensor<T> unknown(reals->shape());
        for (std::size_t i = 0; i < unknown.size(); ++i) unknown[i] = {(*reals)[i].value, std::numeric_limits<double>::infinity()};
        value->elements = unknown;
      } else {
        value->open.assign(static_cast<std::size_t>(element_count(value->shape())), 2);
      }
    }
  }
}

template <class T>
double Call<T>::bytes_moved() const {
  if (!moves_) return 0;
  const auto bytes = [](const Value<T>& value) {
    return static_cast<double>(element_count(value.shape())) * static_cast<double>(size_of(value.type));
  };
  double total = 0;
  for (std::size_t i = 0; i < inputs_.size(); ++i)
    if (inputs_[i] != nullptr) total += bytes(*inputs_[i]);
  for (const auto& value : outputs_)
    if (value) total += bytes(*value);
  return total;
}

template <class T>
std::vector<Value<T>> Call<T>::take_outputs() {
  require_all_used();
  spread_open();
  std::vector<Value<T>> taken;
  for (std::size_t i = 0; i < node_.outputs.size(); ++i) {
    const bool produced = i < outputs_.size() && outputs_[i].has_value();
    if (!produced && wants(i)) fail(fmt::format("output {} ('{}') is not produced", i, node_.outputs[i]));
    taken.push_back(produced ? std::move(*outputs_[i]) : Value<T>{});
  }
  return taken;
}

template <class T>
double Call<T>::flops_spent() const {
  if (flops_) return *flops_;
  double elements = 0;
  for (const auto& value : outputs_)
    if (value) elements += static_cast<double>(element_count(value->shape()));
  return elements;
}

// Every scalar, with every kind of attribute and of elements that there is.
#define ASSAY_CALL(T)                                                                           \
  template class Call<T>;                                                                       \
  template const std::int64_t* Call<T>::attribute_if(const std::string&) const;                 \
  template const double* Call<T>::attribute_if(const std::string&) const;                       \
  template const std::string* Call<T>::attribute_if(const std::string&) const;                  \
  template const std::vector<std::int64_t>* Call<T>::attribute_if(const std::string&) const;    \
  template const std::vector<double>* Call<T>::attribute_if(const std::string&) const;          \
  template const std::vector<std::string>* Call<T>::attribute_if(const std::string&) const;     \
  template const ConstantTensor* Call<T>::attribute_if(const std::string&) const;               \
  template const std::shared_ptr<const Graph>* Call<T>::attribute_if(const std::string&) const; \
  template const Tensor<T>& Call<T>::as(std::size_t, const char*) const;                        \
  template const Integers& Call<T>::as(std::size_t, const char*) const;                         \
  template const Booleans& Call<T>::as(std::size_t, const char*) const;                         \
  template Tensor<T>& Call<T>::output(std::size_t, Shape, ElementType);                         \
  template Integers& Call<T>::output(std::size_t, Shape, ElementType);                          \
  template Booleans& Call<T>::output(std::size_t, Shape, ElementType);
ASSAY_CALL(double)
ASSAY_CALL(float)
ASSAY_CALL(Bounded)

}  // namespace assay::oracle

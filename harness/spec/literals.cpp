// SPDX-License-Identifier: Apache-2.0
#include "literals.h"

#include <fmt/format.h>
#include <onnx/defs/schema.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>

#include "assay/spec/error.h"
#include "assay/spec/float8.h"
#include "assay/spec/half.h"
#include "node_places.h"

namespace assay::spec {
namespace {

using onnx::AttributeProto;
using onnx::NodeProto;
using onnx::OpSchema;
using Types = std::map<std::string, const ElementTypeInfo*>;  ///< of the values that have one

/// "tensor(int64)" is int64.
const ElementTypeInfo* type_in(const std::string& text) {
  constexpr std::string_view kBefore = "tensor(";
  if (!text.starts_with(kBefore) || !text.ends_with(')')) return nullptr;
  return element_type_named(std::string_view(text).substr(kBefore.size(), text.size() - kBefore.size() - 1));
}

const OpSchema::FormalParameter* formal(const std::vector<OpSchema::FormalParameter>& parameters, int index) {
  if (parameters.empty()) return nullptr;
  const auto last = static_cast<int>(parameters.size()) - 1;
  if (index > last && parameters.back().GetOption() != OpSchema::Variadic) return nullptr;
  return &parameters[static_cast<std::size_t>(std::min(index, last))];
}

/// The one type that the parameter may have.
const ElementTypeInfo* only_type(const OpSchema::FormalParameter& parameter) {
  return parameter.GetTypes().size() == 1 ? type_in(**parameter.GetTypes().begin()) : nullptr;
}

bool accepts(const OpSchema::FormalParameter& parameter, const ElementTypeInfo& type) {
  return std::ranges::any_of(parameter.GetTypes(), [&](const auto& accepted) { return type_in(*accepted) == &type; });
}

/// The type of the operands that `schema` holds to one type with `parameter`.
const ElementTypeInfo* type_shared_with(const OpSchema::FormalParameter& parameter, const OpSchema& schema, const NodeProto& node,
                                        const Types& types) {
  for (int i = 0; i < node.input_size(); ++i) {
    const auto* other = formal(schema.inputs(), i);
    const auto found = types.find(node.input(i));
    if (other != nullptr && other->GetTypeStr() == parameter.GetTypeStr() && found != types.end()) return found->second;
  }
  return only_type(parameter);
}

const ElementTypeInfo* type_of_attributes(const NodeProto& node) {
  for (const AttributeProto& attribute : node.attribute()) {
    if (attribute.name() == "to" || attribute.name() == "dtype") return element_type_from_onnx(static_cast<int>(attribute.i()));
    if (attribute.name() == "value" && attribute.has_t()) return element_type_from_onnx(attribute.t().data_type());
    if (attribute.name().starts_with("value_float")) return &info(ElementType::f32);
    if (attribute.name().starts_with("value_int")) return &info(ElementType::i64);
  }
  return node.op_type() == "ConstantOfShape" ? &info(ElementType::f32) : nullptr;
}

class ConstantInserter {
 public:
  ConstantInserter(int opset, const std::vector<Literal>& literals, const Locator& locate) : opset_(opset), locate_(locate) {
    for (const Literal& literal : literals) literals_[literal.placeholder] = &literal;
  }

  void insert(onnx::GraphProto& graph, Types types) const {
    for (const auto& tensor : graph.initializer()) add(types, tensor.name(), element_type_from_onnx(tensor.data_type()));
    for (const auto* values : {&graph.input(), &graph.output(), &graph.value_info()})
      for (const auto& value : *values)
        if (value.type().has_tensor_type()) add(types, value.name(), element_type_from_onnx(value.type().tensor_type().elem_type()));
    google::protobuf::RepeatedPtrField<NodeProto> nodes;
    nodes.Swap(graph.mutable_node());
    for (NodeProto& node : nodes) {
      const auto* schema = onnx::OpSchemaRegistry::Schema(node.op_type(), node.domain().empty() ? opset_ : 1, node.domain());
      for (int i = 0; i < node.input_size(); ++i) {
        const auto found = literals_.find(node.input(i));
        if (found == literals_.end()) continue;
        const Literal& literal = *found->second;
        const ElementTypeInfo& type = type_of_operand(literal, node, schema, i, types);
        if (const auto [known, is_new] = types.emplace(literal.name, &type); is_new) *graph.add_node() = constant(literal, type);
        else require_same(literal, *known->second, type);
        node.set_input(i, literal.name);
      }
      for (AttributeProto& attribute : *node.mutable_attribute())
        if (attribute.has_g()) insert(*attribute.mutable_g(), types);
      add_outputs(node, schema, types);
      graph.add_node()->Swap(&node);
    }
  }

 private:
  static void add(Types& types, const std::string& name, const ElementTypeInfo* type) {
    if (type != nullptr) types.emplace(name, type);
  }

  static void add_outputs(const NodeProto& node, const OpSchema* schema, Types& types) {
    for (int i = 0; i < node.output_size(); ++i) {
      const auto* parameter = schema == nullptr ? nullptr : formal(schema->outputs(), i);
      const ElementTypeInfo* type = parameter == nullptr ? nullptr : type_shared_with(*parameter, *schema, node, types);
      if (type == nullptr) type = type_of_attributes(node);
      if (type == nullptr && schema == nullptr && node.domain().empty()) type = common_type(node, types);
      add(types, node.output(i), type);
    }
  }

  /// Of an operator that is newer than libonnx: the type that all its operands have.
  static const ElementTypeInfo* common_type(const NodeProto& node, const Types& types) {
    const ElementTypeInfo* common = nullptr;
    for (const std::string& input : node.input()) {
      const auto found = types.find(input);
      if (found == types.end()) continue;
      if (common != nullptr && common != found->second) return nullptr;
      common = found->second;
    }
    return common;
  }

  const ElementTypeInfo& type_of_operand(const Literal& literal, const NodeProto& node, const OpSchema* schema, int index,
                                         const Types& types) const {
    const auto* parameter = schema == nullptr ? nullptr : formal(schema->inputs(), index);
    if (parameter != nullptr)
      if (const auto* shared = type_shared_with(*parameter, *schema, node, types)) return *shared;
    for (const std::string& other : node.input())
      if (const auto found = types.find(other); found != types.end() && (parameter == nullptr || accepts(*parameter, *found->second)))
        return *found->second;
    const ElementTypeInfo& index_type = info(ElementType::i64);
    if (parameter != nullptr && accepts(*parameter, index_type) && !accepts(*parameter, info(ElementType::f32))) return index_type;
    throw SpecError(locate_(literal.at), fmt::format("model: no other operand of {} gives {} a type. do: name it, as in c = Constant "
                                                     "<value = float {{{}}}> ()",
                                                     node.op_type(), literal.text, literal.text));
  }

  /// A literal of a function is one number, whatever number of calls it has.
  void require_same(const Literal& literal, const ElementTypeInfo& before, const ElementTypeInfo& now) const {
    if (&before == &now) return;
    throw SpecError(locate_(literal.at),
                    fmt::format("model: {} is {} in one call of the function and {} in another. do: write two functions", literal.text,
                                before.onnx_name, now.onnx_name));
  }

  NodeProto constant(const Literal& literal, const ElementTypeInfo& type) const {
    NodeProto node;
    node.set_op_type("Constant");
    node.add_output(literal.name);
    note_place(node, literal.at);
    AttributeProto& value = *node.add_attribute();
    value.set_name("value");
    value.set_type(AttributeProto::TENSOR);
    value.mutable_t()->set_data_type(type.onnx_value);
    if (type.element_class == ElementClass::real) put_real(literal, type, *value.mutable_t());
    else put_integer(literal, type, *value.mutable_t());
    return node;
  }

  void put_real(const Literal& literal, const ElementTypeInfo& type, onnx::TensorProto& tensor) const {
    if (is_float8(type.type))
      throw SpecError(locate_(literal.at), fmt::format("model: {0} stands beside a {1}, which no operator computes with. do: cast the {1} "
                                                       "to float first",
                                                       literal.text, type.onnx_name));
    const std::string_view text = std::string_view(literal.text).substr(literal.text.starts_with('+') ? 1 : 0);
    double x = 0;
    std::from_chars(text.data(), text.data() + text.size(), x);
    if (std::isfinite(x) && std::isinf(stored_as(x, type.type)))
      throw SpecError(locate_(literal.at), fmt::format("model: {} is beyond the range of {}, the type of the other operand. do: use a "
                                                       "smaller number, or inf",
                                                       literal.text, type.onnx_name));
    if (type.type == ElementType::f64) tensor.add_double_data(x);
    else if (type.type == ElementType::f32) tensor.add_float_data(static_cast<float>(x));
    else tensor.add_int32_data(bits_from_double(x, type.type));
  }

  void put_integer(const Literal& literal, const ElementTypeInfo& type, onnx::TensorProto& tensor) const {
    const std::string_view text = std::string_view(literal.text).substr(literal.text.starts_with('+') ? 1 : 0);
    std::int64_t x = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x);
    if (error != std::errc() || end != text.data() + text.size() || !holds(type, x))
      throw SpecError(locate_(literal.at),
                      fmt::format("model: {} is no {}, the type of the other operand. do: use a number that it has, or "
                                  "cast the operand",
                                  literal.text, type.onnx_name));
    if (type.type == ElementType::i64) tensor.add_int64_data(x);
    else if (type.type == ElementType::u32 || type.type == ElementType::u64) tensor.add_uint64_data(static_cast<std::uint64_t>(x));
    else tensor.add_int32_data(static_cast<std::int32_t>(x));
  }

  static bool holds(const ElementTypeInfo& type, std::int64_t x) {
    if (type.element_class == ElementClass::boolean) return x == 0 || x == 1;
    const bool has_sign = !type.onnx_name.starts_with('u');
    if (!has_sign && x < 0) return false;
    const auto bits = static_cast<int>(type.size) * 8 - (has_sign ? 1 : 0);
    if (bits >= 63) return true;
    const std::int64_t above = std::int64_t{1} << bits;
    return x < above && (!has_sign || x >= -above);
  }

  int opset_;
  const Locator& locate_;
  std::map<std::string, const Literal*> literals_;
};

}  // namespace

void insert_constants(onnx::GraphProto& graph, int opset, const std::vector<Literal>& literals, const Locator& locate) {
  if (!literals.empty()) ConstantInserter(opset, literals, locate).insert(graph, {});
}

}  // namespace assay::spec

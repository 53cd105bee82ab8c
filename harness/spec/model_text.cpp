// SPDX-License-Identifier: Apache-2.0
#include "model_text.h"

#include <fmt/format.h>
#include <onnx/defs/parser.h>
#include <onnx/shape_inference/implementation.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>

#include "assay/spec/error.h"
#include "assay/spec/half.h"
#include "dim_text.h"
#include "float8_text.h"
#include "functions.h"
#include "literals.h"
#include "node_places.h"
#include "proto.h"

namespace assay::spec {
namespace {

SourceLocation locate(const std::string& text, std::size_t offset, const TextPlace& place) {
  const std::string_view before = std::string_view(text).substr(0, std::min(offset, text.size()));
  const auto line = static_cast<int>(std::ranges::count(before, '\n'));
  const std::size_t line_start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  return {place.file, place.line + line, place.indent + static_cast<int>(before.size() - line_start) + 1};
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// The message ends in "... (line: 2 column: 7)]", a line that begins with "Error context: ", and the reason.
[[noreturn]] void throw_parse_error(const std::string& message, const std::string& text, const PlainText& source, const TextPlace& place) {
  int line = 0, column = 0, length = 0;
  std::size_t at = message.find("line: ");
  while (at != message.npos && (std::sscanf(message.c_str() + at, "line: %d column: %d)]%n", &line, &column, &length) != 2 || length == 0))
    at = message.find("line: ", at + 1);
  if (at == message.npos) throw SpecError(locate(text, 0, place), "model: " + message);
  at = past_spaces(message, at + static_cast<std::size_t>(length));
  if (message.compare(at, 15, "Error context: ") == 0) at = std::min(message.find('\n', at), message.size() - 1) + 1;
  const SourceLocation where{place.file, place.line + line - 1, place.indent + source.original_column(line, column)};
  throw SpecError(where, fmt::format("model: not the ONNX text syntax: {}", first_line(message.substr(at))));
}

/// libonnx leaves a scalar declared as `float s` without a shape; ONNX requires one, of rank 0.
void give_scalars_a_shape(onnx::GraphProto& graph) {
  for (auto* values : {graph.mutable_input(), graph.mutable_output()})
    for (auto& value : *values)
      if (value.type().has_tensor_type()) value.mutable_type()->mutable_tensor_type()->mutable_shape();
}

/// The newest opset whose operators the installed libonnx knows; of later ones each definition of the oracle
/// checks what it reads, for libonnx would hold them to the older meaning.
bool libonnx_knows(int opset) {
  static const int newest = onnx::OpSchemaRegistry::DomainToVersionRange::Instance().Map().at("").second;
  return opset <= newest;
}

/// libonnx's own check: numbers of inputs and outputs, names and types of attributes.
void verify_node(const onnx::NodeProto& node, int opset, const SourceLocation& where) {
  if (!libonnx_knows(opset)) return;
  const auto* schema = onnx::OpSchemaRegistry::Schema(node.op_type(), node.domain().empty() ? opset : 1, node.domain());
  if (schema == nullptr) return;  // not ONNX's, or newer than libonnx
  try {
    schema->Verify(node);
  } catch (const std::exception& error) {
    throw SpecError(where, fmt::format("model: {}", first_line(error.what())));
  }
}

/// Every name is written before it is read, and once; `known` are the names of the graphs around this one, `place` is where it
/// stands.
void check_nodes(const onnx::GraphProto& proto, const Graph& graph, std::set<std::string> known, const SourceLocation& place,
                 ModelChecks checks) {
  for (const auto& input : proto.input()) known.insert(input.name());
  for (const auto& initializer : proto.initializer()) known.insert(initializer.name());
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const onnx::NodeProto& node = proto.node(static_cast<int>(i));
    const SourceLocation& where = graph.nodes[i].location;
    for (const std::string& input : node.input())
      if (!input.empty() && !known.contains(input))
        throw SpecError(where, fmt::format("model: {} reads '{}', which nothing before it writes", node.op_type(), input));
    for (const auto& attribute : node.attribute())
      if (const auto* body = std::get_if<std::shared_ptr<const Graph>>(&graph.nodes[i].attributes.at(attribute.name())))
        check_nodes(attribute.g(), **body, known, where, checks);
    for (const std::string& output : node.output())
      if (!output.empty() && !known.insert(output).second)
        throw SpecError(where, fmt::format("model: {} writes '{}', which is written already", node.op_type(), output));
    if (checks == ModelChecks::all) verify_node(node, graph.opset, where);
  }
  for (const auto& output : proto.output())
    if (!known.contains(output.name()))
      throw SpecError(graph.nodes.empty() ? place : graph.nodes.front().location,
                      fmt::format("model: output '{}' is never written", output.name()));
}

/// A constant that a cast to a 16-bit type would turn into infinity is a mistake, not a meaning.
void require_casts_fit(const Graph& graph) {
  std::map<std::string, const ConstantTensor*> constants;
  for (const auto& [name, tensor] : graph.initializers) constants[name] = &tensor;
  for (const Node& node : graph.nodes) {
    if (node.op_type == "Constant" && node.attributes.contains("value") && !node.outputs.empty())
      constants[node.outputs.front()] = std::get_if<ConstantTensor>(&node.attributes.at("value"));
    const auto to = node.attributes.find("to");
    if (node.op_type != "Cast" || to == node.attributes.end() || node.inputs.empty() || !constants.contains(node.inputs.front())) continue;
    const auto* number = std::get_if<std::int64_t>(&to->second);
    const ElementTypeInfo* type = number == nullptr ? nullptr : element_type_from_onnx(static_cast<int>(*number));
    const ConstantTensor* constant = constants.at(node.inputs.front());
    if (type == nullptr || type->element_class != ElementClass::real || constant == nullptr) continue;
    for (const double x : constant->reals)
      if (std::isfinite(x) && std::isinf(stored_as(x, type->type)))
        throw SpecError(node.location, fmt::format("model: Cast: constant '{}' holds {}, beyond the range of {}. do: use a smaller "
                                                   "number or a wider type",
                                                   node.inputs.front(), x, type->onnx_name));
  }
}

/// An output that is an input of the model itself would leave the kernel nothing to write.
void require_written_outputs(const onnx::GraphProto& proto, const Graph& graph) {
  std::set<std::string> written;
  for (const Node& node : graph.nodes) written.insert(node.outputs.begin(), node.outputs.end());
  for (const auto& output : proto.output())
    if (!written.contains(output.name()))
      throw SpecError(graph.nodes.front().location, fmt::format("model: output '{}' is never written", output.name()));
}

/// A model that imports no opset of a node's domain has no shapes inferred.
void import_domains(const onnx::GraphProto& graph, onnx::ModelProto& model) {
  for (const auto& node : graph.node()) {
    const bool imported = std::ranges::any_of(model.opset_import(), [&](const auto& i) { return i.domain() == node.domain(); });
    if (!imported) {
      auto* import = model.add_opset_import();
      import->set_domain(node.domain());
      import->set_version(1);
    }
    for (const auto& attribute : node.attribute())
      if (attribute.has_g()) import_domains(attribute.g(), model);
  }
}

void infer_shapes(onnx::ModelProto& model, const Graph& graph) {
  if (!libonnx_knows(graph.opset)) return;
  try {
    onnx::shape_inference::InferShapes(model);
  } catch (const std::exception& error) {
    const std::string message = error.what();
    SourceLocation where = graph.nodes.empty() ? SourceLocation{} : graph.nodes.front().location;
    if (const std::size_t named = message.find("(op_type:"); named != message.npos) {
      const std::size_t begin = past_spaces(message, named + 9);
      std::size_t end = begin;
      while (end < message.size() && std::isalnum(static_cast<unsigned char>(message[end])) != 0) ++end;
      const auto node = std::ranges::find(graph.nodes, message.substr(begin, end - begin), &Node::op_type);
      if (node != graph.nodes.end()) where = node->location;
    }
    throw SpecError(where, fmt::format("model: shapes do not infer: {}", first_line(message)));
  }
}

/// libonnx's parser calls itself for each graph within a graph.
void refuse_deep_nesting(const std::string& text, const TextPlace& place) {
  constexpr int kDeepest = 32;
  int depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '{' && ++depth > kDeepest)
      throw SpecError(locate(text, at, place), fmt::format("model: braces are nested more than {} deep", kDeepest));
    if (text[at] == '}') --depth;
  }
}

std::vector<Replacement> replacements_of(const std::vector<WrittenExpression>& expressions) {
  std::vector<Replacement> all;
  for (const WrittenExpression& written : expressions) all.push_back(written.replacement);
  return all;
}

std::vector<std::string> placeholders_of(const std::vector<Literal>& literals) {
  std::vector<std::string> all;
  for (const Literal& literal : literals) all.push_back(literal.placeholder);
  return all;
}

PlainText plain_text(const std::string& text, const std::vector<WrittenExpression>& expressions, const std::vector<Literal>& literals,
                     std::vector<Replacement> all) {
  for (Replacement& replacement : replacements_of(expressions)) all.push_back(std::move(replacement));
  for (const Literal& literal : literals) all.push_back({literal.at, literal.length, literal.placeholder});
  return {text, std::move(all)};
}

/// libonnx's parser, which reads a graph, then functions.
class Parser : public onnx::OnnxParser {
 public:
  Parser(const PlainText& source, const std::string& text, const TextPlace& place)
      : OnnxParser(source.text().c_str()), source_(source), text_(text), place_(place) {}

  template <class Part>
  void read(Part& part) {
    try {
      const auto status = Parse(part);
      if (!status.IsOK()) throw_parse_error(status.ErrorMessage(), text_, source_, place_);
    } catch (const SpecError&) {
      throw;
    } catch (const std::exception& error) {
      // A number that no 64 bits hold ends in an exception of the standard library, whose text is a function's name.
      throw SpecError(locate(text_, 0, place_),
                      fmt::format("model: not the ONNX text syntax: a number is out of range or malformed ({})", first_line(error.what())));
    }
  }

  std::vector<onnx::FunctionProto> read_functions() {
    std::vector<onnx::FunctionProto> functions;
    while (!EndOfInput()) {
      if (NextChar() != '<')
        throw SpecError(locate(text_, text_.rfind('}'), place_),
                        "model: text after the graph's closing brace. do: keep one graph, or begin a function with <domain: \"local\">");
      read(functions.emplace_back());
    }
    return functions;
  }

 private:
  const PlainText& source_;
  const std::string& text_;
  const TextPlace& place_;
};

}  // namespace

Graph parse_model(const std::string& text, int opset, const TextPlace& place, ModelChecks checks, std::optional<ElementType> compute) {
  refuse_deep_nesting(text, place);
  onnx::ModelProto model;
  model.set_ir_version(8);
  auto* import = model.add_opset_import();
  import->set_domain("");
  import->set_version(opset);
  const Locator located = [&](std::size_t at) { return locate(text, at, place); };
  const std::vector<WrittenExpression> expressions = find_expressions(text, located);
  const std::vector<Literal> literals = find_literals(text, replacements_of(expressions), located);
  const PlainText source = plain_text(text, expressions, literals, find_float8(text, opset, located));
  Parser parser(source, text, place);
  parser.read(*model.mutable_graph());
  std::vector<onnx::FunctionProto> functions = parser.read_functions();
  put_float8(*model.mutable_graph());
  if (model.graph().node_size() == 0) throw SpecError(locate(text, 0, place), "model: the graph has no node");
  note_places(text, *model.mutable_graph(), functions);
  inline_functions(functions, opset, placeholders_of(literals), located, *model.mutable_graph());
  give_scalars_a_shape(*model.mutable_graph());
  insert_constants(*model.mutable_graph(), opset, literals, located);

  Graph graph;
  try {
    graph = graph_from_proto(model.graph(), opset, compute);
  } catch (const SpecError& error) {
    throw SpecError(locate(text, 0, place), std::string("model: ") + error.what());
  }
  put_expressions(expressions, graph);
  put_numbers(expressions, *model.mutable_graph());
  give_places(model.graph(), located, graph);
  check_nodes(model.graph(), graph, {}, locate(text, 0, place), checks);
  require_written_outputs(model.graph(), graph);
  require_casts_fit(graph);
  if (checks == ModelChecks::all) {
    import_domains(model.graph(), model);
    // Numbers that stand for dimensions would have it infer other extents: there each evaluation checks them.
    if (std::ranges::none_of(expressions, &WrittenExpression::is_attribute)) infer_shapes(model, graph);
  }
  return graph;
}

}  // namespace assay::spec

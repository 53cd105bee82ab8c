// SPDX-License-Identifier: Apache-2.0
#include "node_places.h"

#include <cctype>
#include <charconv>

namespace assay::spec {
namespace {

using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; }

/// Where `name` is applied next in `text` from `from`: the word followed by '(' or '<'.
std::size_t find_application(const std::string& text, const std::string& name, std::size_t from) {
  for (std::size_t at = text.find(name, from); at != std::string::npos; at = text.find(name, at + 1)) {
    if (at > 0 && is_word(text[at - 1]) && text[at - 1] != '.') continue;
    std::size_t after = at + name.size();
    if (after < text.size() && is_word(text[after])) continue;
    after = past_spaces(text, after);
    if (after < text.size() && (text[after] == '(' || text[after] == '<')) return at;
  }
  return std::string::npos;
}

/// Returns where the search goes on.
std::size_t note(const std::string& text, std::size_t from, Nodes& nodes) {
  for (onnx::NodeProto& node : nodes) {
    const std::size_t at = find_application(text, node.op_type(), from);
    note_place(node, at == std::string::npos ? 0 : at);
    if (at != std::string::npos) from = at + node.op_type().size();
    for (auto& attribute : *node.mutable_attribute())
      if (attribute.has_g()) from = note(text, from, *attribute.mutable_g()->mutable_node());
  }
  return from;
}

/// The brace behind the arrow of the signature that is next.
std::size_t next_body(const std::string& text, std::size_t from) {
  const std::size_t arrow = text.find("=>", from);
  return std::min(text.find('{', std::min(arrow, text.size())), text.size());
}

/// Protobuf's only field of a node that carries any text.
std::size_t number_in(const std::string& note) {
  std::size_t at = 0;
  std::from_chars(note.data(), note.data() + note.size(), at);
  return at;
}

}  // namespace

void note_places(const std::string& text, onnx::GraphProto& graph, std::vector<onnx::FunctionProto>& functions) {
  std::size_t from = note(text, next_body(text, 0), *graph.mutable_node());
  for (onnx::FunctionProto& function : functions) {
    const std::size_t at = find_application(text, function.name(), from);
    function.set_doc_string(std::to_string(at == std::string::npos ? 0 : at));
    from = note(text, next_body(text, at == std::string::npos ? from : at), *function.mutable_node());
  }
}

void note_place(onnx::NodeProto& node, std::size_t at) { node.set_doc_string(std::to_string(at)); }

std::size_t noted_place(const onnx::NodeProto& node) { return number_in(node.doc_string()); }
std::size_t noted_place(const onnx::FunctionProto& function) { return number_in(function.doc_string()); }

void give_places(const onnx::GraphProto& proto, const Locator& locate, Graph& graph) {
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const onnx::NodeProto& from = proto.node(static_cast<int>(i));
    graph.nodes[i].location = locate(noted_place(from));
    for (const auto& attribute : from.attribute()) {
      if (!attribute.has_g()) continue;
      auto& body = std::get<std::shared_ptr<const Graph>>(graph.nodes[i].attributes.at(attribute.name()));
      Graph placed = *body;
      give_places(attribute.g(), locate, placed);
      body = std::make_shared<const Graph>(std::move(placed));
    }
  }
}

}  // namespace assay::spec

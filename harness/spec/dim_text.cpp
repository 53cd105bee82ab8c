// SPDX-License-Identifier: Apache-2.0
#include "dim_text.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <limits>
#include <optional>
#include <string_view>

#include "assay/spec/error.h"
#include "launch_expression.h"

namespace assay::spec {
namespace {

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_of_name(char c) { return is_letter(c) || std::isdigit(static_cast<unsigned char>(c)) != 0; }

bool is_name(std::string_view text) { return !text.empty() && is_letter(text.front()) && std::ranges::all_of(text, is_of_name); }

bool is_number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error != std::errc::invalid_argument && end == text.data() + text.size();
}

std::string without_blanks(std::string_view text) {
  std::string kept;
  std::ranges::copy_if(text, std::back_inserter(kept), [](unsigned char c) { return std::isspace(c) == 0; });
  return kept;
}

std::size_t offset_of(std::string_view text, SourcePosition at) {
  std::size_t begin = 0;
  for (int line = 1; line < at.line; ++line) begin = text.find('\n', begin) + 1;
  return begin + static_cast<std::size_t>(at.column - 1);
}

/// Of the dimensions that `tokens` name, each once.
std::vector<std::string> names_in(const std::vector<LaunchToken>& tokens) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (tokens[i].kind != LaunchToken::Kind::word || (is_function(tokens[i].text) && tokens[i + 1].text == "(")) continue;
    if (std::ranges::find(names, tokens[i].text) == names.end()) names.emplace_back(tokens[i].text);
  }
  return names;
}

/// A part of the model's text.
struct Part {
  std::size_t at = 0, length = 0;
};

class ExpressionFinder {
 public:
  ExpressionFinder(const std::string& text, const Locator& locate)
      : text_(text), locate_(locate), prefix_(unused_word(text, "expression")) {}

  std::vector<WrittenExpression> find() {
    std::string open;
    for (std::size_t at = 0; at < text_.size();) {
      const char c = text_[at];
      if (c == '"') at = past_string(text_, at);
      else if (is_letter(c)) at = past_name(at);
      else if (c == '=' && at + 1 < text_.size() && text_[at + 1] == '>') at += 2;
      else if (c == '=' && !open.empty() && open.back() == '<') at = past_attribute(at);
      else {
        if (std::string_view("([{<").find(c) != std::string_view::npos) open += c;
        if (std::string_view(")]}>").find(c) != std::string_view::npos && !open.empty()) open.pop_back();
        ++at;
      }
    }
    return std::move(found_);
  }

 private:
  char next(std::size_t at) const { return at < text_.size() ? text_[at] : '\0'; }
  std::string_view view(const Part& part) const { return std::string_view(text_).substr(part.at, part.length); }

  std::size_t end_of_name(std::size_t at) const {
    while (at < text_.size() && is_of_name(text_[at])) ++at;
    return at;
  }

  /// A type's name has a shape behind it.
  std::size_t past_name(std::size_t at) {
    const std::size_t end = end_of_name(at), bracket = past_spaces(text_, end);
    if (next(bracket) != '[' || element_type_named(std::string_view(text_).substr(at, end - at)) == nullptr) return end;
    const auto parts = parts_of_list(bracket);
    if (!parts) return bracket;  // for libonnx to say
    for (const Part& part : *parts)
      if (const auto extent = view(part); !extent.empty() && extent != "?" && !is_name(extent) && !is_number(extent)) add_extent(part);
    return close_of_list(*parts);
  }

  /// From the '=' of an attribute to behind its value, or to where a value begins that is none of dimensions.
  std::size_t past_attribute(std::size_t equals) {
    const std::size_t at = past_spaces(text_, equals + 1);
    const char c = next(at);
    if (c == '[') {
      const auto parts = parts_of_list(at);
      const auto is_plain = [&](const Part& part) { return is_number(view(part)) || view(part).starts_with('"') || part.length == 0; };
      if (!parts || std::ranges::all_of(*parts, is_plain)) return at;
      const std::size_t end = close_of_list(*parts) + 1;
      add_attribute(equals, {at, end - at}, *parts, true);
      return end;
    }
    if (c == '"' || c == '{' || c == '@' || is_tensor_or_graph(at)) return at;
    const auto value = part_until(at, ",>");
    if (!value || value->length == 0 || is_number(view(*value))) return at;
    add_attribute(equals, *value, {*value}, false);
    return value->at + value->length;
  }

  /// float[2] {1, 2}, or body (...) => (...) {...}
  bool is_tensor_or_graph(std::size_t at) const {
    const std::size_t end = end_of_name(at), after = past_spaces(text_, end);
    if (end == at) return false;
    if (next(after) != '(') return next(after) == '{' || next(after) == '[';
    int depth = 0;
    std::size_t close = after;
    for (; close < text_.size(); ++close) {
      depth += text_[close] == '(' ? 1 : text_[close] == ')' ? -1 : 0;
      if (depth == 0) break;
    }
    if (close == text_.size()) return false;  // for libonnx to say
    return std::string_view(text_).substr(past_spaces(text_, close + 1)).starts_with("=>");
  }

  /// From `at` to before the first of `ends` outside of brackets, without blanks around it.
  std::optional<Part> part_until(std::size_t at, std::string_view ends) const {
    at = past_spaces(text_, at);
    int depth = 0;
    for (std::size_t end = at; end < text_.size(); ++end) {
      const char c = text_[end];
      if (depth == 0 && ends.find(c) != ends.npos) {
        while (end > at && std::isspace(static_cast<unsigned char>(text_[end - 1])) != 0) --end;
        return Part{at, end - at};
      }
      if (c == '"') end = past_string(text_, end) - 1;
      depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
      if (depth < 0 || c == '{' || c == '}') return {};
    }
    return {};
  }

  /// The parts between the commas of the list whose '[' is at `bracket`; nothing where it has no end.
  std::optional<std::vector<Part>> parts_of_list(std::size_t bracket) const {
    std::vector<Part> parts;
    for (std::size_t at = bracket;;) {
      const auto part = part_until(at + 1, ",]");
      if (!part) return {};
      parts.push_back(*part);
      at = past_spaces(text_, part->at + part->length);
      if (next(at) == ']') return parts;
    }
  }
  std::size_t close_of_list(const std::vector<Part>& parts) const { return past_spaces(text_, parts.back().at + parts.back().length); }

  void add_extent(const Part& part) {
    auto expression = read(part, "extent " + without_blanks(view(part)), 1);
    std::string name = fmt::format("{}{}", prefix_, found_.size());
    found_.push_back({{part.at, part.length, name}, name, false, {{std::move(expression)}, false}});
  }

  void add_attribute(std::size_t equals, const Part& value, const std::vector<Part>& parts, bool is_list) {
    const std::string what = fmt::format("attribute '{}'", name_before(equals));
    DimAttribute dims{{}, is_list};
    for (const Part& part : parts) dims.values.push_back(read(part, what, std::numeric_limits<std::int64_t>::min()));
    std::string name = fmt::format("{}{}", prefix_, found_.size());
    found_.push_back({{value.at, value.length, '"' + name + '"'}, name, true, std::move(dims)});
  }

  /// The attribute's name, which may be followed by its kind: "group : int".
  std::string name_before(std::size_t equals) const {
    const std::size_t begin = past_spaces(text_, text_.find_last_of("<,", equals) + 1);
    return text_.substr(begin, end_of_name(begin) - begin);
  }

  std::shared_ptr<const DimExpression> read(const Part& part, const std::string& what, std::int64_t least) const {
    try {
      const std::vector<LaunchToken> tokens = expression_tokens(view(part));
      DimExpression expression{without_blanks(view(part)), names_in(tokens), what, least, locate_(part.at), nullptr};
      LaunchTokens left(tokens);
      auto steps = read_expression(left, expression.names, what, Quotient::whole);
      if (left.next().kind != LaunchToken::Kind::end) left.fail(what, "an operator or its end");
      expression.steps = std::make_shared<const LaunchExpression>(std::move(steps));
      return std::make_shared<const DimExpression>(std::move(expression));
    } catch (const LaunchError& error) {
      throw SpecError(
          locate_(part.at + offset_of(view(part), error.at())),
          fmt::format("model: {}. do: write a number, a dimension, or an expression like 2*C or (H - 1)*S + 1", error.message()));
    }
  }

  const std::string& text_;
  const Locator& locate_;
  std::string prefix_;
  std::vector<WrittenExpression> found_;
};

const WrittenExpression* named(const std::vector<WrittenExpression>& expressions, const std::string& name, bool is_attribute) {
  const auto found = std::ranges::find_if(
      expressions, [&](const WrittenExpression& written) { return written.is_attribute == is_attribute && written.name == name; });
  return found == expressions.end() ? nullptr : &*found;
}

}  // namespace

std::vector<WrittenExpression> find_expressions(const std::string& text, const Locator& locate) {
  return ExpressionFinder(text, locate).find();
}

void put_expressions(const std::vector<WrittenExpression>& expressions, Graph& graph) {
  if (expressions.empty()) return;
  for (auto* specs : {&graph.inputs, &graph.outputs})
    for (TensorSpec& spec : *specs)
      for (Dim& dim : spec.shape)
        if (const auto* written = named(expressions, dim.name, false))
          dim = {written->dims.values.front()->text, -1, written->dims.values.front()};
  for (Node& node : graph.nodes)
    for (auto& [name, attribute] : node.attributes) {
      if (const auto* text = std::get_if<std::string>(&attribute))
        if (const auto* written = named(expressions, *text, true)) attribute = written->dims;
      if (auto* body = std::get_if<std::shared_ptr<const Graph>>(&attribute)) {
        Graph changed = **body;
        put_expressions(expressions, changed);
        *body = std::make_shared<const Graph>(std::move(changed));
      }
    }
}

void put_numbers(const std::vector<WrittenExpression>& expressions, onnx::GraphProto& graph) {
  for (auto& node : *graph.mutable_node())
    for (auto& attribute : *node.mutable_attribute()) {
      if (attribute.has_g()) put_numbers(expressions, *attribute.mutable_g());
      const auto* written = attribute.has_s() ? named(expressions, attribute.s(), true) : nullptr;
      if (written == nullptr) continue;
      attribute.clear_s();
      attribute.set_type(written->dims.is_list ? onnx::AttributeProto::INTS : onnx::AttributeProto::INT);
      if (written->dims.is_list)
        for (std::size_t i = 0; i < written->dims.values.size(); ++i) attribute.add_ints(1);
      else attribute.set_i(1);
    }
}

}  // namespace assay::spec

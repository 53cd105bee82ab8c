// SPDX-License-Identifier: Apache-2.0
#include "assay/spec/yaml_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ranges>
#include <sstream>

#include "assay/spec/name.h"

namespace assay::spec {

YamlFile::YamlFile(const std::string& path, const std::string& text) : path_(path) {
  std::istringstream split(text);
  for (std::string line; std::getline(split, line);) {
    lines_.push_back(line);
    // yaml-cpp takes it for the sign of an escape sequence: "\0_" is the byte 0xa0.
    if (const std::size_t zero = line.find('\0'); zero != std::string::npos)
      throw SpecError({path, static_cast<int>(lines_.size()), static_cast<int>(zero) + 1}, "not YAML: a zero byte");
  }
  try {
    root_ = YAML::Load(text);
  } catch (const YAML::ParserException& error) {
    throw SpecError({path, error.mark.line + 1, error.mark.column + 1}, "not YAML: " + error.msg);
  }
  if (!root_.IsMap()) throw SpecError({path, 1, 1}, "must be a mapping of keys to values");
}

SourceLocation YamlFile::at(const YAML::Node& node) const {
  YAML::Mark mark = node.Mark();
  if (mark.is_null()) mark = place_.Mark();
  return {path_, mark.line + 1, mark.column + 1};
}

void YamlFile::expand(const YAML::Node& place, std::map<std::string, std::string> variables) {
  place_.reset(place);  // assignment would write into the node that copies of this file share
  variables_ = std::move(variables);
  used_.clear();
}

void YamlFile::read_from(const YAML::Node& root) { root_.reset(root); }

std::string YamlFile::dump() const {
  YAML::Emitter out;
  out << YAML::BeginDoc << root_ << YAML::BeginDoc << variables_;
  return out.c_str();
}

void YamlFile::require_used_variables() const {
  for (const auto& [name, value] : variables_)
    if (name != "task" && name != "type" && !used_.contains(name))
      fail(place_, fmt::format("'{}' is no key of a task, and nothing says {{{}}}. do: remove it, or use it", name, name));
}

/// A model's own braces hold more than one word, or spaces.
std::string YamlFile::expanded(const YAML::Node& node, const std::string& text, int depth) const {
  constexpr int kDeepest = 8;
  if (variables_.empty()) return text;
  if (depth > kDeepest) fail(node, "variables name each other in a circle");
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t open = text.find('{', at), close = text.find('}', open);
    const std::string name = close == std::string::npos ? "" : text.substr(open + 1, close - open - 1);
    if (!is_name(name)) {
      const std::size_t next = open == std::string::npos ? text.size() : open + 1;
      result += text.substr(at, next - at);
      at = next;
      continue;
    }
    const auto variable = variables_.find(name);
    if (variable == variables_.end())
      fail(node, fmt::format("nothing says what {{{}}} is. known: {}", name, fmt::join(std::views::keys(variables_), " ")));
    used_.insert(name);
    result += text.substr(at, open - at) + expanded(node, variable->second, depth + 1);
    at = close + 1;
  }
  return result;
}

void YamlFile::fail(const YAML::Node& node, const std::string& message) const { throw SpecError(at(node), message); }

std::string YamlFile::key(const YAML::Node& node) const {
  if (!node.IsScalar()) fail(node, "a key must be a word, got a list, a mapping or nothing");
  return node.Scalar();
}

void YamlFile::require_keys(const YAML::Node& node, const std::string& who, const std::vector<std::string>& known) const {
  if (!node.IsMap()) fail(node, fmt::format("{}: must be a mapping. known keys: {}", who, fmt::join(known, " ")));
  std::set<std::string> seen;
  for (const auto& entry : node) {
    const std::string key = this->key(entry.first);
    if (!known.empty() && std::ranges::find(known, key) == known.end())
      fail(entry.first, fmt::format("{}: unknown key '{}'. known: {}", who, key, fmt::join(known, " ")));
    if (!seen.insert(key).second) fail(entry.first, fmt::format("{}: key '{}' is given twice", who, key));
  }
}

YAML::Node YamlFile::require(const YAML::Node& map, const std::string& who, const std::string& key) const {
  const YAML::Node value = map[key];
  if (!value) fail(map, fmt::format("{}: key '{}' is missing", who, key));
  return value;
}

template <class T>
T YamlFile::scalar(const YAML::Node& node, const std::string& who, const char* wanted) const {
  if (!node.IsScalar()) fail(node, fmt::format("{}: must be {}", who, wanted));
  const std::string text = expanded(node, node.Scalar());
  try {
    return (text == node.Scalar() ? node : YAML::Node(text)).template as<T>();
  } catch (const YAML::Exception&) {
    fail(node, fmt::format("{}: must be {}, got '{}'", who, wanted, text));
  }
}

std::string YamlFile::text(const YAML::Node& node, const std::string& who) const { return scalar<std::string>(node, who, "text"); }
std::int64_t YamlFile::integer(const YAML::Node& node, const std::string& who) const {
  return scalar<std::int64_t>(node, who, "an integer");
}
double YamlFile::number(const YAML::Node& node, const std::string& who) const { return scalar<double>(node, who, "a number"); }
bool YamlFile::flag(const YAML::Node& node, const std::string& who) const { return scalar<bool>(node, who, "true or false"); }

std::vector<std::string> YamlFile::texts(const YAML::Node& node, const std::string& who) const {
  if (!node.IsSequence()) fail(node, who + ": must be a list, like [a, b]");
  std::vector<std::string> result;
  for (const auto& item : node) result.push_back(text(item, who));
  return result;
}

std::pair<int, int> YamlFile::block_place(const YAML::Node& node) const {
  const YAML::Mark mark = node.Mark();
  const auto header = static_cast<std::size_t>(mark.line);
  if (header >= lines_.size()) return {1, 0};
  const char style = static_cast<std::size_t>(mark.column) < lines_[header].size() ? lines_[header][mark.column] : ' ';
  if (style != '|' && style != '>') return {mark.line + 1, mark.column};
  for (std::size_t i = header + 1; i < lines_.size(); ++i) {
    const std::size_t indent = lines_[i].find_first_not_of(' ');
    if (indent != std::string::npos) return {mark.line + 2, static_cast<int>(indent)};
  }
  return {mark.line + 2, 0};
}

}  // namespace assay::spec

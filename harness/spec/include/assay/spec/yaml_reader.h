// SPDX-License-Identifier: Apache-2.0
// Access to a YAML file in which every mistake is an error that names file, line and column.
#pragma once

#include <yaml-cpp/yaml.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "assay/spec/error.h"

namespace assay::spec {

class YamlFile {
 public:
  /// `path` is what messages call the text. Throws SpecError where it is not YAML.
  YamlFile(const std::string& path, const std::string& text);

  const YAML::Node& root() const { return root_; }
  const std::string& path() const { return path_; }
  SourceLocation at(const YAML::Node& node) const;
  [[noreturn]] void fail(const YAML::Node& node, const std::string& message) const;

  /// A key of a mapping. Throws where it is a list, a mapping or nothing.
  std::string key(const YAML::Node& node) const;
  /// `node` must be a mapping whose keys are all in `known`.
  void require_keys(const YAML::Node& node, const std::string& who, const std::vector<std::string>& known) const;
  YAML::Node require(const YAML::Node& map, const std::string& who, const std::string& key) const;
  std::string text(const YAML::Node& node, const std::string& who) const;
  std::int64_t integer(const YAML::Node& node, const std::string& who) const;
  double number(const YAML::Node& node, const std::string& who) const;
  bool flag(const YAML::Node& node, const std::string& who) const;
  std::vector<std::string> texts(const YAML::Node& node, const std::string& who) const;

  /// From here on scalars have `variables` in place of {name}. What has no place of its own is at `place`.
  void expand(const YAML::Node& place, std::map<std::string, std::string> variables);
  /// From here on `root` is read.
  void read_from(const YAML::Node& root);
  /// Fails where a variable, but `task` and `type`, occurs in nothing that was read.
  void require_used_variables() const;

  /// Root and variables, whatever their layout was.
  std::string dump() const;

  /// First line (from 1) and indentation of the literal block that `node` is; the node's own place for other scalars.
  std::pair<int, int> block_place(const YAML::Node& node) const;

 private:
  template <class T>
  T scalar(const YAML::Node& node, const std::string& who, const char* wanted) const;
  std::string expanded(const YAML::Node& node, const std::string& text, int depth = 0) const;

  std::string path_;
  std::vector<std::string> lines_;
  YAML::Node root_, place_;
  std::map<std::string, std::string> variables_;
  mutable std::set<std::string> used_;
};

}  // namespace assay::spec

// SPDX-License-Identifier: Apache-2.0
#include "scope.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace assay {
namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

ScopeRow parse_row(const std::vector<std::string>& fields, const std::string& where) {
  const std::string kind = fields.empty() ? "" : fields[0];
  if (kind != "set" && kind != "operator" && kind != "type" && kind != "test" && kind != "tolerance")
    throw std::runtime_error(fmt::format("{}: kind must be set, operator, type, test or tolerance, got '{}'", where, kind));
  const std::size_t wanted = kind == "set" ? 3 : kind == "tolerance" ? 5 : 4;
  if (fields.size() != wanted || fields.back().empty())
    throw std::runtime_error(
        fmt::format("{}: a row of kind {} has {} fields, the last a reason; got '{}'", where, kind, wanted, fmt::join(fields, "' '")));
  ScopeRow row{kind, split(fields[1], ','), kind == "set" ? "" : fields[2], 0, fields.back()};
  if (kind == "set") return row;
  if (kind == "tolerance") row.number = std::stod(fields[3]);
  const auto letters = std::count_if(row.pattern.begin(), row.pattern.end(), [](char c) { return std::isalnum(c) != 0; });
  if (letters < 2 || row.pattern == "test*" || row.pattern == "test_*")
    throw std::runtime_error(fmt::format("{}: '{}' would take every test. do: name the operators or tests", where, row.pattern));
  return row;
}

bool names(const ScopeRow& row, const std::string& test) { return fnmatch(row.pattern.c_str(), test.c_str(), 0) == 0; }

}  // namespace

Scope Scope::read(const std::filesystem::path& path, const std::string& set) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(fmt::format("{}: cannot be read", path.string()));
  Scope scope;
  std::vector<std::string> declared;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    if (line.empty() || line.front() == '#') continue;
    const std::string where = fmt::format("{}:{}", path.string(), number);
    ScopeRow row = parse_row(split(line, '\t'), where);
    row.line = number;
    if (row.kind == "set") {
      declared.insert(declared.end(), row.sets.begin(), row.sets.end());
      continue;
    }
    for (const std::string& name : row.sets)
      if (std::ranges::find(declared, name) == declared.end())
        throw std::runtime_error(
            fmt::format("{}: set '{}' is not declared. known: {}. do: add a row 'set' above", where, name, fmt::join(declared, " ")));
    if (std::ranges::find(row.sets, set) != row.sets.end()) scope.rows_.push_back(std::move(row));
  }
  return scope;
}

const ScopeRow* Scope::excludes(const std::string& test, const std::vector<std::string>& operators,
                                const std::vector<std::string>& types) const {
  const auto has = [](const std::vector<std::string>& list, const std::string& name) {
    return std::ranges::find(list, name) != list.end();
  };
  const ScopeRow* found = nullptr;
  for (const ScopeRow& row : rows_) {
    const bool matches = (row.kind == "test" && names(row, test)) || (row.kind == "operator" && has(operators, row.pattern)) ||
                         (row.kind == "type" && has(types, row.pattern));
    if (!matches) continue;
    ++row.uses;
    if (found == nullptr) found = &row;
  }
  return found;
}

std::optional<double> Scope::tolerance(const std::string& test) const {
  std::optional<double> number;
  for (const ScopeRow& row : rows_) {
    if (row.kind != "tolerance" || !names(row, test)) continue;
    ++row.uses;
    number = row.number;
  }
  return number;
}

std::vector<const ScopeRow*> Scope::unused() const {
  std::vector<const ScopeRow*> rows;
  for (const ScopeRow& row : rows_)
    if (row.uses == 0) rows.push_back(&row);
  return rows;
}

}  // namespace assay

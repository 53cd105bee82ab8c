// SPDX-License-Identifier: Apache-2.0
#include "declaration.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <regex>
#include <stdexcept>
#include <string_view>

namespace assay {
namespace {

constexpr std::array<std::string_view, 8> kKeys = {"cheat", "task", "stage", "expect", "because", "elsewhere", "reduced", "gains"};
constexpr std::array<std::string_view, 3> kStages = {"compile", "test", "bench"};
constexpr std::array<std::string_view, 13> kVerdicts = {
    "PASS",    "COMPILE_ERROR", "COMPILE_TIMEOUT", "WRONG_RESULT",     "OUT_OF_BOUNDS", "INPUT_MODIFIED", "CRASH",
    "TIMEOUT", "MEMORY_LIMIT",  "POLICY",          "NONDETERMINISTIC", "SUSPECT_FAST",  "INCONCLUSIVE"};

template <class List>
bool contains(const List& list, std::string_view item) {
  return std::ranges::find(list, item) != list.end();
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('|', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

/// The leading comment lines that look like `// word: value`; the first line of another shape ends them.
std::multimap<std::string, std::string> leading_keys(const std::filesystem::path& file) {
  static const std::regex shape("// ([a-z]+): (.*)");
  std::multimap<std::string, std::string> keys;
  std::ifstream in(file);
  std::smatch match;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("// SPDX-")) continue;
    if (!std::regex_match(line, match, shape)) break;
    keys.emplace(match[1], match[2]);
  }
  return keys;
}

}  // namespace

Declaration read_declaration(const std::filesystem::path& file, bool honest) {
  const auto complain = [&](const std::string& what) {
    throw std::runtime_error(fmt::format("{}: {}. do: see tests/cheats/README.md", file.string(), what));
  };
  const auto keys = leading_keys(file);
  for (const auto& [key, value] : keys)
    if (!contains(kKeys, key)) complain(fmt::format("unknown key '{}'. known: {}", key, fmt::join(kKeys, " ")));
  const auto one = [&](const std::string& key, const std::string& otherwise) {
    if (keys.count(key) > 1) complain(fmt::format("key '{}' appears more than once", key));
    const auto at = keys.find(key);
    if (at != keys.end()) return at->second;
    if (otherwise.empty()) complain(fmt::format("key '{}' is missing", key));
    return otherwise;
  };
  Declaration declaration;
  declaration.task = one("task", "");
  declaration.stage = one("stage", honest ? "test" : "");
  declaration.expect = split(one("expect", honest ? "PASS" : ""));
  const auto [first, last] = keys.equal_range("because");
  for (auto at = first; at != last; ++at) declaration.because.push_back(at->second);
  if (keys.contains("elsewhere")) declaration.elsewhere = split(one("elsewhere", ""));
  if (keys.contains("reduced")) declaration.reduced = split(one("reduced", ""));
  if (!contains(kStages, declaration.stage)) complain(fmt::format("unknown stage '{}'", declaration.stage));
  for (const auto* verdicts : {&declaration.expect, &declaration.elsewhere, &declaration.reduced})
    for (const std::string& verdict : *verdicts)
      if (!contains(kVerdicts, verdict)) complain(fmt::format("unknown verdict '{}'", verdict));
  if (!honest) declaration.cheat = one("cheat", "");
  if (contains(declaration.expect, "WRONG_RESULT") && declaration.because.empty())
    complain(
        "expects WRONG_RESULT and has no 'because'. do: say by which words of the detail it is seen that it was caught for its "
        "own reason");
  const std::string gains = one("gains", "-");
  if (gains != "-" && gains != "nothing") complain(fmt::format("gains: nothing, or leave it out. got '{}'", gains));
  declaration.gains_nothing = gains == "nothing";
  if (declaration.gains_nothing && declaration.stage != "bench") complain("gains: nothing is for stage: bench");
  if (declaration.gains_nothing && !contains(declaration.expect, "PASS")) complain("gains: nothing is for expect: PASS");
  if (contains(declaration.expect, "INCONCLUSIVE"))
    complain("INCONCLUSIVE says nothing of a cheat. do: expect PASS, with gains: nothing; the runner benches it again");
  return declaration;
}

bool says(const std::string& detail, const std::string& piece) {
  static const std::regex special(R"([.*+?^$()\[\]{}|\\])"), number("<number>");
  const std::string escaped = std::regex_replace(piece, special, R"(\$&)");
  return std::regex_search(detail, std::regex(std::regex_replace(escaped, number, R"(-?[0-9][0-9.]*(e[-+][0-9]+)?)")));
}

}  // namespace assay

// SPDX-License-Identifier: Apache-2.0
// PTX says what a cubin is launched with, in words that are documented:
//   .visible .entry scale(
//     .param .u64 .ptr .align 1 scale_param_0,
//     .param .align 4 .b8 scale_param_1[12]
//   )
// What a source puts into it by its assembler can tell lies of that source's kernels alone: the box asks the driver again.
#include "entries.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace assay::cuda {
namespace {

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '%'; }

std::uint64_t number_at(std::string_view text, std::size_t at) {
  std::uint64_t value = 0;
  for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) value = value * 10 + static_cast<std::uint64_t>(text[at] - '0');
  return value;
}

/// Of ".param .u64 ... name" or ".param .align 4 .b8 name[12]": the first type, times the elements.
std::uint64_t bytes_of(std::string_view parameter) {
  constexpr std::uint64_t kBits = 8;
  std::uint64_t bytes = 0;
  for (std::size_t dot = parameter.find('.'); dot != parameter.npos && bytes == 0; dot = parameter.find('.', dot + 1))
    if (dot + 2 < parameter.size() && std::string_view("usfb").find(parameter[dot + 1]) != std::string_view::npos)
      bytes = number_at(parameter, dot + 2) / kBits;
  const std::size_t bracket = parameter.find('[');
  return bracket == parameter.npos ? bytes : bytes * number_at(parameter, bracket + 1);
}

bool is_named_twice(std::string_view ptx, std::string_view name) {
  int times = 0;
  for (std::size_t at = ptx.find(name); at != ptx.npos && times < 2; at = ptx.find(name, at + 1)) {
    const bool begins = at == 0 || !is_name(ptx[at - 1]), ends = at + name.size() == ptx.size() || !is_name(ptx[at + name.size()]);
    if (begins && ends) ++times;
  }
  return times > 1;
}

/// Whether a word that goes on with a state space is an instruction: "ld.volatile" is one, ".visible" and "" are not.
bool is_of_instruction(std::string_view before) {
  std::size_t begin = before.size();
  while (begin > 0 && (is_name(before[begin - 1]) || before[begin - 1] == '.')) --begin;
  return begin < before.size() && std::isalpha(static_cast<unsigned char>(before[begin])) != 0;
}

/// Whether " .align 4 .b8 table[12] = {0, 0, ...};" at `at` declares one variable, which is named nowhere else.
bool is_declared_for_nobody(std::string_view ptx, std::size_t at) {
  const std::size_t end = ptx.find(';', at);
  if (end == ptx.npos) return false;
  const std::string_view statement = ptx.substr(at, end - at), declared = statement.substr(0, statement.find_first_of("[="));
  const std::size_t values = std::min(statement.find('{'), statement.size()), rest = std::min(statement.find('}'), statement.size());
  for (const std::string_view part : {statement.substr(0, values), statement.substr(rest)})
    if (part.find(',') != part.npos) return false;  // several
  const auto last = std::find_if(declared.rbegin(), declared.rend(), is_name);
  const auto first = std::find_if_not(last, declared.rend(), is_name);
  const std::string_view name(first.base(), last.base());
  return !name.empty() && !is_named_twice(ptx, name);
}

}  // namespace

bool uses_variables(std::string_view ptx) {
  if (ptx.find("const[") != ptx.npos || ptx.find('#') != ptx.npos) return true;
  for (const std::string_view space : {".global", ".const"})
    for (std::size_t at = ptx.find(space); at != ptx.npos; at = ptx.find(space, at + 1))
      if (!is_of_instruction(ptx.substr(0, at)) && !is_declared_for_nobody(ptx, at + space.size())) return true;
  return false;
}

std::map<std::string, std::vector<std::uint64_t>> entries_of(std::string_view ptx) {
  constexpr std::string_view kEntry = ".entry ";
  std::map<std::string, std::vector<std::uint64_t>> entries;
  for (std::size_t at = ptx.find(kEntry); at != ptx.npos; at = ptx.find(kEntry, at + 1)) {
    std::string_view rest = ptx.substr(at + kEntry.size());
    std::size_t length = 0;
    while (length < rest.size() && is_name(rest[length])) ++length;
    std::vector<std::uint64_t>& sizes = entries[std::string(rest.substr(0, length))];
    sizes.clear();
    rest = rest.substr(length, rest.find(')') - length);
    for (std::size_t begin = rest.find(".param"); begin < rest.size();) {
      const std::size_t end = std::min(rest.find(',', begin), rest.size());
      sizes.push_back(bytes_of(rest.substr(begin + 6, end - begin - 6)));
      begin = rest.find(".param", end);
    }
  }
  return entries;
}

}  // namespace assay::cuda

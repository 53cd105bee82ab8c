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

/// The name that a line of a module declares in device memory: ".visible .global .align 4 .b8 table[12] = {0, 0, ...};". Else empty.
std::string_view declared_on(std::string_view line) {
  static constexpr std::string_view kSpace = " \t";
  const auto next_word = [&line] {
    line.remove_prefix(std::min(line.find_first_not_of(kSpace), line.size()));
    const std::string_view word = line.substr(0, line.find_first_of(kSpace));
    line.remove_prefix(word.size());
    return word;
  };
  std::string_view word = next_word();
  while (word == ".visible" || word == ".extern" || word == ".weak" || word == ".common") word = next_word();
  if (word != ".global" && word != ".const") return {};
  line = line.substr(0, line.find_first_of("[=;"));
  std::size_t end = line.size();
  while (end > 0 && !is_name(line[end - 1])) --end;
  std::size_t begin = end;
  while (begin > 0 && is_name(line[begin - 1])) --begin;
  return line.substr(begin, end - begin);
}

bool is_named_twice(std::string_view ptx, std::string_view name) {
  int times = 0;
  for (std::size_t at = ptx.find(name); at != ptx.npos && times < 2; at = ptx.find(name, at + 1)) {
    const bool begins = at == 0 || !is_name(ptx[at - 1]), ends = at + name.size() == ptx.size() || !is_name(ptx[at + name.size()]);
    if (begins && ends) ++times;
  }
  return times > 1;
}

}  // namespace

bool uses_variables(std::string_view ptx) {
  if (ptx.find("const[") != ptx.npos) return true;
  for (std::size_t begin = 0; begin < ptx.size();) {
    const std::size_t end = std::min(ptx.find('\n', begin), ptx.size());
    const std::string_view name = declared_on(ptx.substr(begin, end - begin));
    if (!name.empty() && is_named_twice(ptx, name)) return true;
    begin = end + 1;
  }
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

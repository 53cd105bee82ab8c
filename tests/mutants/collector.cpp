// SPDX-License-Identifier: Apache-2.0
#include "collector.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "expression_text.h"

namespace assay {
namespace {

std::set<unsigned> conditional_lines(const std::string& text) {
  std::set<unsigned> lines;
  unsigned line = 1, depth = 0;
  for (std::size_t begin = 0; begin < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string directive = trimmed(text.substr(begin, end - begin));
    if (directive.starts_with("#if")) ++depth;
    if (directive.starts_with("#endif")) --depth;
    if (depth > 0) lines.insert(line);
    begin = end + 1;
  }
  return lines;
}

void number_repeated(std::vector<Mutation>& mutations) {
  std::map<std::tuple<Kind, std::string, std::string>, int> times;
  for (Mutation& m : mutations)
    if (const int n = ++times[{m.kind, m.original, m.mutated}]; n > 1) m.mutated += fmt::format(" #{}", n);
}

}  // namespace

Collector::Collector(const Source& source) : source_(source), conditional_(conditional_lines(source.text())) {}

void Collector::add(Kind kind, const std::string& function, Range at, const std::string& replacement) {
  if (at.begin == at.end || source_.text(at) == replacement) return;
  const std::string& text = source_.text();
  const auto first = text.begin() + static_cast<std::ptrdiff_t>(at.begin);
  const unsigned line = 1 + static_cast<unsigned>(std::count(text.begin(), first, '\n'));
  if (conditional_.contains(line) || !seen_.insert({at.begin, at.end, replacement}).second) return;
  const std::size_t begin = text.rfind('\n', at.begin) + 1;
  const std::size_t end = std::min(text.find('\n', at.end), text.size());
  const auto with = [&](std::string_view middle) {
    return collapsed(fmt::format("{}{}{}", source_.text({begin, at.begin}), middle, source_.text({at.end, end})));
  };
  found_.push_back({kind, function, line, at.begin, at.end - at.begin, replacement, with(source_.text(at)), with(replacement)});
}

std::vector<Mutation> Collector::take() {
  std::ranges::sort(found_, {}, [](const Mutation& m) { return std::tuple(m.offset, m.length, m.kind); });
  number_repeated(found_);
  return std::move(found_);
}

}  // namespace assay

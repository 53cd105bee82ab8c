// SPDX-License-Identifier: Apache-2.0
#include "answer_names.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "assay/spec/source_text.h"

namespace assay::generate {
namespace {

constexpr std::size_t kLongestPath = 200;

std::string_view trimmed(std::string_view text, std::string_view what = " \t\r\n") {
  const std::size_t begin = text.find_first_not_of(what);
  return begin == text.npos ? std::string_view() : text.substr(begin, text.find_last_not_of(what) - begin + 1);
}

bool same_word(std::string_view text, std::string_view lower) {
  return std::ranges::equal(text, lower, [](unsigned char a, char b) { return std::tolower(a) == b; });
}

/// A word with a short suffix: "a.h", "/etc/x.cpp", "..\\x.cpp". Not "kernel", "1.5", "e.g.", "std::max".
bool is_path(std::string_view word) {
  if (word.empty() || word.size() > kLongestPath) return false;
  const std::size_t dot = word.rfind('.');
  if (dot == word.npos || dot + 1 == word.size() || word.size() - dot > 7) return false;
  const auto in_suffix = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '+'; };
  if (!std::isalpha(static_cast<unsigned char>(word[dot + 1])) || !std::all_of(word.begin() + dot + 1, word.end(), in_suffix)) return false;
  const auto in_path = [](unsigned char c) {
    return std::isalnum(c) != 0 || c >= 0x80 || std::string_view("_-+@./\\~").find(static_cast<char>(c)) != std::string_view::npos;
  };
  return dot > 0 && std::ranges::all_of(word, in_path);
}

/// "file: a.h", "Filename: `a.h`", "a.h", "a.h:" -> "a.h"; else empty.
std::string_view path_in(std::string_view line) {
  constexpr std::array labels{"file", "filename", "file name", "path", "filepath"};
  constexpr std::string_view marks = " \t*`_\"'#:()";
  line = trimmed(line);
  if (const std::size_t colon = line.find(':'); colon != line.npos)
    if (std::ranges::any_of(labels, [&](const char* label) { return same_word(trimmed(line.substr(0, colon), marks), label); }))
      line = line.substr(colon + 1);
  // An underline may begin a name.
  line = trimmed(trimmed(line, " \t*`\"'#:()"));
  return is_path(line) ? line : std::string_view();
}

/// "// ...", "# ...", "; ...", "/* ... */", "<!-- ... -->": what the comment says.
std::string_view comment_of(std::string_view line) {
  line = trimmed(line);
  if (line.starts_with("/*") && line.ends_with("*/") && line.size() >= 4) return line.substr(2, line.size() - 4);
  if (line.starts_with("<!--") && line.ends_with("-->") && line.size() >= 7) return line.substr(4, line.size() - 7);
  for (const std::string_view mark : {"//", "#", ";", "--"})
    if (line.starts_with(mark)) return line.substr(mark.size());
  return {};
}

/// "cpp title=\"a.h\"", "cpp:a.h", "cpp a.h", "a.h", "{.cpp filename=a.h}"
std::string_view path_in_info(std::string_view info) {
  info = trimmed(info, " \t{}");
  while (!info.empty()) {
    const std::size_t end = std::min(info.find_first_of(" \t"), info.size());
    std::string_view word = info.substr(0, end);
    info = trimmed(info.substr(end));
    if (word.starts_with('.') && word.find_first_of("/\\.", 1) == word.npos) continue;  // a class: {.cpp}
    if (const std::size_t mark = word.find_first_of("=:"); mark != word.npos) word = word.substr(mark + 1);
    if (word = trimmed(word, "\"'"); is_path(word)) return word;
  }
  return {};
}

}  // namespace

BlockName name_of(const CodeBlock& block) {
  if (const std::string_view path = path_in_info(block.info); !path.empty()) return {std::string(path), false};
  const std::size_t begin = std::min(block.text.find_first_not_of(" \t\n"), block.text.size());
  const std::string_view first = std::string_view(block.text).substr(begin, block.text.find('\n', begin) - begin);
  if (const std::string_view path = path_in(comment_of(first)); !path.empty()) return {std::string(path), true};
  if (block.before.find('\n') == std::string::npos)
    if (const std::string_view path = path_in(block.before); !path.empty()) return {std::string(path), false};
  return {};
}

std::string flat_name(std::string_view path) {
  const std::size_t slash = path.find_last_of("/\\");
  return std::string(slash == path.npos ? path : path.substr(slash + 1));
}

std::string why_refused(std::string_view path) {
  if (path.starts_with('/') || path.starts_with('\\') || path.starts_with('~')) return "is absolute";
  for (std::size_t at = 0; at <= path.size();) {
    const std::size_t end = std::min(path.find_first_of("/\\", at), path.size());
    if (path.substr(at, end - at) == "..") return "climbs out of the candidate's folder";
    at = end + 1;
  }
  return spec::why_no_file(flat_name(path));
}

}  // namespace assay::generate

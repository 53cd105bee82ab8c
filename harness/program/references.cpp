// SPDX-License-Identifier: Apache-2.0
#include "assay/program/references.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>

#include "assay/spec/source_scan.h"

namespace assay::program {
namespace {

using problem::SourceReferences, problem::TextFile;
using spec::Token, spec::TokenKind;
using TextWords = std::vector<std::string_view>;

/// Words and marks of code; "::" is two marks.
TextWords words_of(std::string_view text) {
  TextWords words;
  for (const Token& token : spec::tokens_of(text))
    if (token.kind == TokenKind::word || token.kind == TokenKind::mark) words.push_back(text.substr(token.begin, token.end - token.begin));
  return words;
}

bool stands_in(const std::string& name, const TextWords& text) {
  const TextWords wanted = words_of(name);
  return !wanted.empty() && std::ranges::search(text, wanted).begin() != text.end();
}

/// All of `all`, and one of `any`, by `is_there`. What is missing, in words.
template <class IsThere>
std::string missing(const SourceReferences& demanded, IsThere is_there) {
  if (demanded.all)
    for (const std::string& name : *demanded.all)
      if (!is_there(name)) return fmt::format("names no {}", name);
  if (demanded.any && !demanded.any->empty() && std::ranges::none_of(*demanded.any, is_there))
    return fmt::format("names none of {}", fmt::join(*demanded.any, ", "));
  return "";
}

/// The words of a text as the published matcher sees them: what stands in a directive, too, and a literal that is one word.
TextWords published_words(std::string_view text) {
  TextWords words;
  for (const Token& token : spec::tokens_of(text)) {
    std::string_view shown = text.substr(token.begin, token.end - token.begin);
    if (token.kind == TokenKind::word || token.kind == TokenKind::mark) words.push_back(shown);
    if (token.kind == TokenKind::string && shown.size() > 2) words.push_back(shown.substr(1, shown.size() - 2));
    if (token.kind == TokenKind::directive) {
      shown.remove_prefix(1);
      for (const std::string_view word : published_words(shown)) words.push_back(word);
    }
  }
  return words;
}

/// What stands in the solution's own files of a preprocessor's output, which must outlive it. A line `# 1 "file"` is one of the
/// preprocessor's only where a directive may stand: not in a text of several lines.
struct OwnCode {
  TextWords words;
  std::set<std::string_view> macros;  ///< that others' files define

  OwnCode(std::string_view preprocessed, const std::vector<TextFile>& files) {
    bool ours = false;
    for (const Token& token : spec::tokens_of(preprocessed)) {
      const std::string_view text = preprocessed.substr(token.begin, token.end - token.begin);
      if (token.kind == TokenKind::directive) {
        if (const auto file = file_of_marker(text)) ours = is_one_of(files, *file);
        else if (!ours) note_macro(text);
      } else if (ours && (token.kind == TokenKind::word || token.kind == TokenKind::mark)) {
        words.push_back(text);
      }
    }
  }

 private:
  static std::optional<std::string_view> file_of_marker(std::string_view line) {
    const std::size_t begin = line.find('"'), end = line.rfind('"');
    if (!(line.starts_with("# ") || line.starts_with("#line ")) || begin == end) return {};
    std::string_view name = line.substr(begin + 1, end - begin - 1);
    if (name.starts_with("./")) name.remove_prefix(2);
    return name;
  }

  static bool is_one_of(const std::vector<TextFile>& files, std::string_view name) {
    return std::ranges::any_of(files, [&](const TextFile& file) { return file.path == name; });
  }

  void note_macro(std::string_view line) {
    line.remove_prefix(1);
    const TextWords said = words_of(line);
    if (said.size() > 1 && said[0] == "define") macros.insert(said[1]);
  }
};

}  // namespace

std::string missing_reference(const SourceReferences& demanded, const std::vector<Preprocessed>& sources,
                              const std::vector<TextFile>& files) {
  std::vector<OwnCode> expanded;
  for (const Preprocessed& source : sources) expanded.emplace_back(source.expanded, files);
  const auto is_expanded = [&](const std::string& name) {
    return std::ranges::any_of(expanded, [&](const OwnCode& code) { return stands_in(name, code.words); });
  };
  if (missing(demanded, is_expanded).empty()) return "";
  std::vector<std::string> texts;
  std::vector<OwnCode> written;
  for (const Preprocessed& source : sources) texts.push_back(source.written());
  for (const std::string& text : texts) written.emplace_back(text, files);
  return missing(demanded, [&](const std::string& name) {
    const TextWords wanted = words_of(name);
    const auto is_macro_in = [&](const OwnCode& code) { return code.macros.contains(wanted.back()) && stands_in(name, code.words); };
    return is_expanded(name) || (!wanted.empty() && std::ranges::any_of(written, is_macro_in));
  });
}

bool matches_as_published(const SourceReferences& demanded, const std::vector<TextFile>& files) {
  std::vector<TextWords> words;
  for (const TextFile& file : files) words.push_back(published_words(file.text));
  return missing(demanded,
                 [&](const std::string& name) {
                   return std::ranges::any_of(words, [&](const TextWords& text) { return stands_in(name, text); });
                 })
      .empty();
}

}  // namespace assay::program

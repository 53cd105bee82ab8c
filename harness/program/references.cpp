// SPDX-License-Identifier: Apache-2.0
#include "assay/program/references.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "assay/spec/source_scan.h"

namespace assay::program {
namespace {

using problem::SourceReferences, problem::TextFile;
using spec::Token, spec::TokenKind;
using TextWords = std::vector<std::string_view>;

/// TextWords and marks of code; "::" is two marks.
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

}  // namespace

std::string lines_of_solution(std::string_view preprocessed, const std::vector<TextFile>& files) {
  std::string lines;
  bool ours = false;
  while (!preprocessed.empty()) {
    const std::size_t end = std::min(preprocessed.find('\n'), preprocessed.size());
    const std::string_view line = preprocessed.substr(0, end);
    preprocessed.remove_prefix(std::min(end + 1, preprocessed.size()));
    const bool marker = line.starts_with("# ") || line.starts_with("#line ");
    if (const std::size_t quote = line.find('"'); marker && quote != line.npos) {
      std::string_view name = line.substr(quote + 1);
      name = name.substr(0, name.find('"'));
      if (name.starts_with("./")) name.remove_prefix(2);
      ours = std::ranges::any_of(files, [&](const TextFile& file) { return file.path == name; });
    } else if (ours) {
      lines.append(line).push_back('\n');
    }
  }
  return lines;
}

std::string missing_reference(const SourceReferences& demanded, const std::vector<std::string>& texts) {
  std::vector<TextWords> words;
  for (const std::string& text : texts) words.push_back(words_of(text));
  return missing(demanded, [&](const std::string& name) {
    return std::ranges::any_of(words, [&](const TextWords& text) { return stands_in(name, text); });
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

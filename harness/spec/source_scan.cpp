// SPDX-License-Identifier: Apache-2.0
#include "assay/spec/source_scan.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace assay::spec {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || (c & 0x80) != 0; }

using Kind = TokenKind;

class Tokens {
 public:
  explicit Tokens(std::string_view text) : text_(text) {}

  std::string_view of(const Token& token) const { return text_.substr(token.begin, token.end - token.begin); }

  Token next() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) line_begins_ |= text_[at_++] == '\n';
    if (at_ >= text_.size()) return {Kind::end, text_.size(), text_.size()};
    const bool first = std::exchange(line_begins_, false);
    const std::size_t begin = at_;
    const char c = text_[at_];
    if (c == '#' && first) return {Kind::directive, begin, at_ = line_end(at_)};
    if (starts("//")) return {Kind::comment, begin, at_ = line_end(at_)};
    if (starts("/*")) return {Kind::comment, begin, at_ = behind("*/", at_ + 2)};
    if (c == '"' || c == '\'') return {Kind::string, begin, at_ = quoted_end(at_)};
    if (is_word(c)) return word();
    return {Kind::mark, begin, ++at_};
  }

 private:
  bool starts(std::string_view what) const { return text_.substr(at_).starts_with(what); }

  std::size_t behind(std::string_view what, std::size_t from) const {
    const std::size_t found = text_.find(what, from);
    return found == text_.npos ? text_.size() : found + what.size();
  }

  /// A backslash joins lines.
  std::size_t line_end(std::size_t from) const {
    for (std::size_t end = text_.find('\n', from);; end = text_.find('\n', end + 1)) {
      if (end == text_.npos) return text_.size();
      const std::size_t last = text_.find_last_not_of('\r', end - 1);
      if (end == 0 || last == text_.npos || text_[last] != '\\') return end;
    }
  }

  /// An apostrophe in prose ends at its line.
  std::size_t quoted_end(std::size_t from) const {
    const char quote = text_[from];
    std::size_t end = from + 1;
    for (; end < text_.size() && text_[end] != quote && text_[end] != '\n'; ++end)
      if (text_[end] == '\\') ++end;
    return std::min(end + 1, text_.size());
  }

  Token word() {
    const std::size_t begin = at_;
    const bool number = std::isdigit(static_cast<unsigned char>(text_[at_])) != 0;
    while (at_ < text_.size() &&
           (is_word(text_[at_]) || (number && text_[at_] == '\'' && at_ + 1 < text_.size() && is_word(text_[at_ + 1]))))
      ++at_;
    const std::string_view read = text_.substr(begin, at_ - begin);
    if (number || at_ >= text_.size() || text_[at_] != '"') return {Kind::word, begin, at_};
    if (constexpr std::array raw{"R", "LR", "uR", "UR", "u8R"}; std::ranges::find(raw, read) != raw.end()) {
      const std::size_t open = std::min(text_.find('(', at_), text_.size());
      const std::string closing = ")" + std::string(text_.substr(at_ + 1, open - std::min(open, at_ + 1))) + "\"";
      return {Kind::string, begin, at_ = behind(closing, open)};
    }
    if (constexpr std::array prefix{"L", "u", "U", "u8"}; std::ranges::find(prefix, read) != prefix.end())
      return {Kind::string, begin, at_ = quoted_end(at_)};
    return {Kind::word, begin, at_};
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool line_begins_ = true;
};

/// Parentheses behind these are no parameters.
bool is_attribute(std::string_view word) {
  constexpr std::array names{"__attribute__", "alignas",  "__launch_bounds__", "__declspec",       "__aligned__", "noexcept", "throw",
                             "decltype",      "requires", "__block_size__",    "__cluster_dims__", "_Alignas",    "explicit"};
  return std::ranges::find(names, word) != names.end();
}

class Scanner {
 public:
  explicit Scanner(std::string_view text) : tokens_(text) {}

  SourceScan read() {
    for (Token token = tokens_.next(); token.kind != Kind::end; token = tokens_.next()) take(token);
    finish();
    return std::move(scan_);
  }

 private:
  void take(const Token& token) {
    const std::string_view text = tokens_.of(token);
    if (token.kind == Kind::comment) return note_comment(text);
    if (token.kind == Kind::directive) return take_directive(text);
    if (skipped_ > 0) return;
    last_ = token.end;
    if (depth_ > 0) return take_in_body(token, text);
    if (token.kind == Kind::mark && parens_ == 0 && take_mark(token, text.front())) return;
    if (!began_) begin_ = token.begin, began_ = true;
    if (token.kind == Kind::mark) {
      if (text == "(" && parens_++ == 0 && !word_.empty() && !is_attribute(word_) && !initialisers_) name_ = word_;
      if (text == ")" && parens_ > 0) --parens_;
      if (text != ":") word_ = {};
    } else if (parens_ == 0) {
      if (words_++ == 0) first_ = text;
      if (text == "namespace" || (first_ == "extern" && token.kind == Kind::string)) scope_ = true;
      word_ = token.kind == Kind::word ? text : std::string_view();
    }
  }

  /// Whether the mark ended a declaration.
  bool take_mark(const Token& token, char mark) {
    if (mark == ':' && !name_.empty()) initialisers_ = true;
    if (mark == '=' && name_.empty()) value_ = true;
    if (mark == ';') {
      if (is_test_macro(name_)) scan_.definitions.push_back({name_, begin_, token.end, token.begin, true});
      return reset(), true;
    }
    if (mark == '}') return reset(), true;  // of a namespace or an extern "C"
    if (mark != '{') return false;
    if (scope_) return reset(), true;
    if (!began_) begin_ = token.begin, began_ = true;
    depth_ = 1;
    body_ = token.begin;
    return true;
  }

  void take_in_body(const Token& token, std::string_view text) {
    if (token.kind != Kind::mark) return;
    if (text == "{") ++depth_;
    if (text != "}" || --depth_ > 0) return;
    if (!is_function()) return;  // a class or a list of values: ends with its semicolon
    scan_.definitions.push_back({name_, begin_, token.end, body_, true});
    reset();
  }

  bool is_function() const { return !name_.empty() && !value_; }

  void finish() {
    if (is_function() && depth_ > 0) scan_.definitions.push_back({name_, begin_, last_, body_, false});
  }

  void reset() {
    name_ = word_ = first_ = {};
    began_ = scope_ = value_ = initialisers_ = false;
    words_ = parens_ = 0;
  }

  void note_comment(std::string_view comment) {
    const std::size_t at = comment.find_first_not_of("/* \t\r\n");
    if (comment.starts_with("/*") && at != comment.npos && comment.substr(at).starts_with("launch")) scan_.launch_block = true;
  }

  void take_directive(std::string_view line) {
    const std::size_t at = line.find_first_not_of("# \t");
    const std::string_view name = at == line.npos ? "" : line.substr(at);
    if (skipped_ > 0) {
      if (name.starts_with("if")) ++skipped_;
      else if (name.starts_with("endif")) --skipped_;
    } else if (name.starts_with("el")) {  // #else, #elif: the first part counted
      skipped_ = 1;
    } else if (name.starts_with("include")) {
      scan_.includes.push_back(line);
    }
    if (depth_ == 0 && parens_ == 0) reset();
  }

  Tokens tokens_;
  SourceScan scan_;
  std::string_view name_, word_, first_;
  std::size_t begin_ = 0, last_ = 0, body_ = 0;
  int depth_ = 0, parens_ = 0, words_ = 0, skipped_ = 0;
  bool began_ = false, scope_ = false, value_ = false, initialisers_ = false;
};

}  // namespace

bool is_test_macro(std::string_view name) {
  constexpr std::array macros{"TEST",      "TEST_F",      "TEST_P",    "TYPED_TEST",           "INSTANTIATE_TEST_SUITE_P",
                              "BENCHMARK", "BENCHMARK_F", "TEST_CASE", "BOOST_AUTO_TEST_CASE", "BENCHMARK_MAIN"};
  return std::ranges::find(macros, name) != macros.end();
}

bool SourceScan::defines(std::string_view name) const {
  return std::ranges::find(definitions, name, &Definition::name) != definitions.end();
}

std::vector<Token> tokens_of(std::string_view text) {
  Tokens tokens(text);
  std::vector<Token> all;
  for (Token token = tokens.next(); token.kind != Kind::end; token = tokens.next()) all.push_back(token);
  return all;
}

SourceScan scan_source(std::string_view source) { return Scanner(source).read(); }

}  // namespace assay::spec

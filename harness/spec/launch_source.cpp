// SPDX-License-Identifier: Apache-2.0
#include "launch_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace assay::spec {
namespace {

// ASCII whatever the locale.
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_word_part(char c) { return is_word_start(c) || is_digit(c); }
bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// Reads text from its beginning and knows the place in the file.
class Cursor {
 public:
  explicit Cursor(std::string_view text, SourcePosition at = {}) : text_(text), at_(at) {}

  bool done() const { return text_.empty(); }
  char next() const { return text_.front(); }
  bool sees(std::string_view wanted) const { return text_.starts_with(wanted); }
  SourcePosition at() const { return at_; }

  std::string_view take(std::size_t count) {
    const std::string_view taken = text_.substr(0, count);
    for (const char c : taken) {
      ++at_.column;
      if (c == '\n') at_ = {at_.line + 1, 1};
    }
    text_.remove_prefix(taken.size());
    return taken;
  }

  template <class Wanted>
  std::string_view take_while(Wanted&& wanted) {
    const auto end = std::ranges::find_if_not(text_, wanted);
    return take(static_cast<std::size_t>(end - text_.begin()));
  }

  void skip_space() { take_while(is_space); }

  /// A line comment, which goes on after a backslash at its end.
  void skip_line_comment() {
    while (!done()) {
      const std::string_view line = take_while([](char c) { return c != '\n'; });
      take(1);
      if (!line.ends_with('\\') && !line.ends_with("\\\r")) return;
    }
  }

  /// Where it stands at "/*": the text up to "*/", and past that.
  Cursor take_block_comment() {
    const SourcePosition begin = at_;
    take(2);
    const std::size_t length = text_.find("*/");
    if (length == std::string_view::npos) throw LaunchError(begin, "the comment is not closed. do: end it with */");
    const SourcePosition inside = at_;
    const std::string_view text = take(length);
    take(2);
    return Cursor(text, inside);
  }

  /// The same of a comment that may be without an end.
  void skip_block_comment() {
    take(2);
    const std::size_t length = text_.find("*/");
    take(length == std::string_view::npos ? length : length + 2);
  }

 private:
  std::string_view text_;
  SourcePosition at_;
};

/// Past blanks and line comments.
void skip_to_block_comment_or_code(Cursor& cursor) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (cursor.sees(byte_order_mark)) cursor.take(byte_order_mark.size());
  for (cursor.skip_space(); cursor.sees("//"); cursor.skip_space()) cursor.skip_line_comment();
}

std::string_view take_word(Cursor& cursor) {
  cursor.skip_space();
  return cursor.take_while(is_word_part);
}

/// The launch block after its first word.
Cursor find_block(Cursor& source) {
  for (skip_to_block_comment_or_code(source); source.sees("/*"); skip_to_block_comment_or_code(source)) {
    Cursor comment = source.take_block_comment();
    if (take_word(comment) == "launch") return comment;
  }
  throw LaunchError(source.at(), "the file has no launch block. do: begin it with /* launch ... */");
}

void require_no_second_block(Cursor& source) {
  for (skip_to_block_comment_or_code(source); source.sees("/*"); skip_to_block_comment_or_code(source)) {
    const SourcePosition at = source.at();
    Cursor comment = source.take_block_comment();
    if (take_word(comment) != "launch") continue;
    const std::string_view statement = take_word(comment);
    if (statement == "scratch" || statement == "kernel")
      throw LaunchError(at, "the file has a second launch block. do: write everything into the first");
  }
}

void skip_blanks_of_block(Cursor& block) {
  for (block.skip_space(); block.sees("#"); block.skip_space()) block.take_while([](char c) { return c != '\n'; });
}

LaunchToken take_token(Cursor& block, const char* who) {
  using Kind = LaunchToken::Kind;
  const SourcePosition at = block.at();
  if (is_word_start(block.next())) return {Kind::word, block.take_while(is_word_part), at};
  // A number takes what clings to it along: 0x10 and 1.5 are wrong as a whole.
  if (is_digit(block.next())) return {Kind::number, block.take_while([](char c) { return is_word_part(c) || c == '.'; }), at};
  constexpr std::string_view symbols = "[](),:+-*/%";
  if (symbols.find(block.next()) == std::string_view::npos)
    throw LaunchError(at, fmt::format("{} has no such character. got: {}", who, quotation(block.take(1))));
  return {Kind::symbol, block.take(1), at};
}

/// `source` as a compiler reads it: lines that end with a backslash are one with the next.
std::string spliced(std::string_view source) {
  std::string text;
  text.reserve(source.size());
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source.substr(i).starts_with("\\\n")) i += 1;
    else if (source.substr(i).starts_with("\\\r\n")) i += 2;
    else text += source[i];
  }
  return text;
}

/// Past the rest of a string or character. One without an end (an apostrophe in #error) ends with its line.
void skip_literal(Cursor& code) {
  const char quote = code.take(1).front();
  while (!code.done() && code.next() != '\n') {
    const char c = code.take(1).front();
    if (c == '\\' && !code.done() && code.next() != '\n') code.take(1);
    if (c == quote) return;
  }
}

void skip_comment_of_code(Cursor& code) {
  if (code.sees("//")) code.take_while([](char c) { return c != '\n'; });
  else code.skip_block_comment();
}

/// Where it stands at "#": whether that is ## or #include.
bool takes_names_from_elsewhere(Cursor& code) {
  code.take(1);
  if (code.sees("#")) return true;
  code.take_while([](char c) { return c == ' ' || c == '\t'; });
  return code.sees("include");
}

}  // namespace

LaunchError::LaunchError(SourcePosition at, const std::string& message)
    : std::runtime_error(fmt::format("{}:{}: {}", at.line, at.column, message)), at_(at), message_(message) {}

std::string quotation(std::string_view text) {
  constexpr std::size_t most = 40;
  std::string shown(text.substr(0, most));
  for (char& c : shown)
    if (c < 0x20 || c > 0x7e) c = '?';
  return fmt::format("'{}{}'", shown, text.size() > most ? "..." : "");
}

std::vector<LaunchToken> launch_tokens(std::string_view source) {
  Cursor cursor(source);
  Cursor block = find_block(cursor);
  require_no_second_block(cursor);
  std::vector<LaunchToken> tokens;
  for (skip_blanks_of_block(block); !block.done(); skip_blanks_of_block(block)) tokens.push_back(take_token(block, "the launch block"));
  tokens.push_back({LaunchToken::Kind::end, "*/", block.at()});
  return tokens;
}

std::vector<LaunchToken> expression_tokens(std::string_view text) {
  Cursor cursor(text);
  std::vector<LaunchToken> tokens;
  for (cursor.skip_space(); !cursor.done(); cursor.skip_space()) tokens.push_back(take_token(cursor, "an expression"));
  tokens.push_back({LaunchToken::Kind::end, "", cursor.at()});
  return tokens;
}

std::vector<std::string> absent_names(std::string_view source, const std::vector<std::string>& names) {
  const std::string text = spliced(source);
  std::set<std::string, std::less<>> absent(names.begin(), names.end());
  Cursor code(text);
  while (!code.done() && !absent.empty()) {
    const char c = code.next();
    if (code.sees("//") || code.sees("/*")) skip_comment_of_code(code);
    else if (c == '"' || c == '\'') skip_literal(code);
    else if (is_word_part(c)) {
      const auto found = absent.find(code.take_while(is_word_part));
      if (found != absent.end()) absent.erase(found);
    } else if (c == '#') {
      if (takes_names_from_elsewhere(code)) return {};
    } else code.take(1);
  }
  return {absent.begin(), absent.end()};
}

}  // namespace assay::spec

// SPDX-License-Identifier: Apache-2.0
#include "answer_text.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace assay::generate {
namespace {

constexpr std::array kReasoningTags{"think", "thinking", "reasoning", "reflection", "analysis", "thought"};
constexpr std::size_t kLongestTag = 10;

struct Tag {
  std::size_t begin = std::string_view::npos, end = 0;
  bool closing = false;
  std::string_view name{};
};

/// The next <think> or </think> from `at` on that begins or ends its line: one within a line of code is code.
Tag next_tag(std::string_view text, std::size_t at) {
  for (std::size_t open = text.find('<', at); open != text.npos; open = text.find('<', open + 1)) {
    const bool closing = text.substr(open + 1).starts_with('/');
    const std::size_t begin = open + 1 + (closing ? 1 : 0);
    const std::string_view near = text.substr(begin, kLongestTag + 1), name = near.substr(0, near.find('>'));
    const std::size_t end = begin + name.size();
    if (end == text.size() || std::ranges::find(kReasoningTags, name) == kReasoningTags.end()) continue;
    const std::size_t line = text.rfind('\n', open) + 1, next = std::min(text.find('\n', end), text.size());
    const auto blank = [](std::string_view part) { return part.find_first_not_of(" \t\r") == part.npos; };
    if (blank(text.substr(line, open - line)) || blank(text.substr(end + 1, next - end - 1))) return {open, end + 1, closing, name};
  }
  return {};
}

/// As many line ends as `text` has: lines keep their numbers.
std::string lines_of(std::string_view text) { return std::string(static_cast<std::size_t>(std::ranges::count(text, '\n')), '\n'); }

/// Reasoning ends with its own closing tag. A template that opens it for the model leaves a closing tag alone.
std::string without_reasoning(std::string_view text, std::vector<std::string>& notes) {
  std::string lines, kept;
  std::size_t at = 0, dropped = 0;
  for (Tag tag = next_tag(text, 0); tag.begin != text.npos; tag = next_tag(text, at)) {
    if (tag.closing) {
      dropped += kept.size() + tag.end - at;
      lines += lines_of(kept) + lines_of(text.substr(at, tag.end - at));
      kept.clear();
      at = tag.end;
      continue;
    }
    kept += text.substr(at, tag.begin - at);
    Tag close = next_tag(text, tag.end);
    while (close.begin != text.npos && !(close.closing && close.name == tag.name)) close = next_tag(text, close.end);
    const bool open_end = close.begin == text.npos;
    at = open_end ? text.size() : close.end;
    dropped += at - tag.begin;
    kept += lines_of(text.substr(tag.begin, at - tag.begin));
    if (open_end) notes.push_back("the reasoning has no end: all behind it was left out");
  }
  if (dropped > 0) notes.push_back("reasoning was left out");
  return lines + kept.append(text.substr(at));
}

/// gpt-oss: the channel "final" is the answer.
std::string final_channel(std::string_view text, std::vector<std::string>& notes) {
  constexpr std::string_view mark = "<|channel|>final<|message|>";
  const std::size_t at = text.rfind(mark);
  if (at == text.npos) return std::string(text);
  notes.push_back("channels other than 'final' were left out");
  return lines_of(text.substr(0, at)).append(text.substr(at + mark.size()));
}

/// <|im_end|>, <|eot_id|>, </s> and their like, which are no part of any language's text.
std::string without_chat_tokens(std::string text, std::vector<std::string>& notes) {
  constexpr std::size_t kLongest = 32;
  std::string kept;
  std::size_t at = 0;
  for (std::size_t open = text.find('<'); open != text.npos; open = text.find('<', open + 1)) {
    std::size_t end = text.npos;
    if (text.compare(open, 2, "<|") == 0) {
      const std::string_view near = std::string_view(text).substr(open, kLongest);
      const std::size_t close = near.find("|>", 2) == near.npos ? text.npos : open + near.find("|>", 2);
      const auto inside = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
      if (close != text.npos && close > open + 2 && std::all_of(text.begin() + open + 2, text.begin() + close, inside)) end = close + 2;
    } else if (text.compare(open, 4, "</s>") == 0 && text.find_first_not_of(" \t\r\n", open + 4) == text.npos) {
      end = open + 4;
    }
    if (end == text.npos) continue;
    kept.append(text, at, open - at);
    at = end;
  }
  if (at == 0) return text;
  notes.push_back("tokens of the chat's template were removed");
  return kept.append(text, at);
}

}  // namespace

std::string answer_alone(std::string_view text, std::vector<std::string>& notes) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  std::string kept = without_chat_tokens(without_reasoning(final_channel(text, notes), notes), notes);
  std::string lines;
  lines.reserve(kept.size());
  for (std::size_t i = 0; i < kept.size(); ++i)
    if (kept[i] != '\r' || i + 1 == kept.size() || kept[i + 1] != '\n') lines += kept[i];
  return lines;
}

}  // namespace assay::generate

// SPDX-License-Identifier: Apache-2.0
#include "markup.h"

#include <algorithm>

namespace assay {
namespace {

constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-:";

bool is_void(std::string_view element) {
  constexpr std::string_view kVoid[] = {"meta", "link", "br", "hr", "img", "col", "input"};
  return std::ranges::find(kVoid, element) != std::ranges::end(kVoid);
}

class Page {
 public:
  explicit Page(std::string_view text) : left_(text) {}

  std::string fault() {
    take("<!doctype html>") || take("<!DOCTYPE html>");
    while (!left_.empty() && fault_.empty()) {
      if (left_.front() == '<') tag();
      else if (left_.front() == '&') entity();
      else if (left_.front() == '>') fail("a bare '>'");
      else left_.remove_prefix(1);
    }
    if (fault_.empty() && !open_.empty()) fail("<" + open_.back() + "> is never closed");
    return fault_;
  }

 private:
  bool take(std::string_view word) {
    if (!left_.starts_with(word)) return false;
    left_.remove_prefix(word.size());
    return true;
  }

  std::string name() {
    const std::string_view word = left_.substr(0, left_.find_first_not_of(kLetters));
    left_.remove_prefix(word.size());
    return std::string(word);
  }

  void fail(const std::string& what) {
    if (fault_.empty()) fault_ = what + " before: " + std::string(left_.substr(0, 120));
  }

  void tag() {
    left_.remove_prefix(1);
    if (take("/")) return close();
    const std::string element = name();
    if (element.empty() || element == "script" || element == "iframe") return fail("an element <" + element + ">");
    bool empty = is_void(element);
    while (fault_.empty() && !take(">")) {
      if (take("/")) empty = true;
      else attribute();
    }
    if (!empty) open_.push_back(element);
    if (element == "style") skip_style();
  }

  void close() {
    const std::string element = name();
    if (open_.empty() || open_.back() != element || !take(">")) return fail("</" + element + "> closes nothing");
    open_.pop_back();
  }

  void attribute() {
    left_.remove_prefix(std::min(left_.size(), left_.find_first_not_of(" \n")));
    if (left_.empty() || left_.front() == '>' || left_.front() == '/') {
      if (left_.empty()) fail("a tag that does not end");
      return;
    }
    const std::string key = name();
    if (key.empty() || key.starts_with("on")) return fail("an attribute '" + key + "'");
    if (!take("=")) return;
    if (!take("\"")) return fail("an attribute without quotes");
    const std::size_t end = left_.find('"');
    if (end == std::string_view::npos) return fail("an attribute that does not end");
    std::string_view value = left_.substr(0, end);
    if (value.find('<') != std::string_view::npos) return fail("a '<' in an attribute");
    if (value.find("nan") != std::string_view::npos && key != "title" && key != "aria-label" && key != "class" && key != "href" &&
        key != "id")
      return fail("an attribute " + key + " that is no number");
    if ((key == "href" || key == "src") && !value.starts_with("#")) return fail("a link to elsewhere");
    left_.remove_prefix(end + 1);
  }

  void skip_style() { left_.remove_prefix(std::min(left_.size(), left_.find("</style>"))); }

  void entity() {
    for (const std::string_view known : {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;", "&nbsp;"})
      if (take(known)) return;
    fail("a bare '&'");
  }

  std::string_view left_;
  std::vector<std::string> open_;
  std::string fault_;
};

}  // namespace

std::string markup_fault(std::string_view page) { return Page(page).fault(); }

CsvTable read_csv(std::string_view text) {
  CsvTable table;
  std::vector<std::string> line;
  std::string field;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"' && quoted && i + 1 < text.size() && text[i + 1] == '"') {
      field += c;
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && c == ',') {
      line.push_back(std::move(field));
      field.clear();
    } else if (!quoted && c == '\n') {
      line.push_back(std::move(field));
      field.clear();
      table.lines.push_back(std::move(line));
      line.clear();
    } else if (quoted || c != '\r') {
      field += c;
    }
  }
  table.whole = !quoted && line.empty() && field.empty();
  return table;
}

}  // namespace assay

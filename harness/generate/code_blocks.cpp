// SPDX-License-Identifier: Apache-2.0
#include "code_blocks.h"

#include <md4c.h>

#include <algorithm>
#include <stdexcept>

namespace assay::generate {
namespace {

constexpr int kMostNested = 4;

/// "```" or "~~~", and longer ones: the length of the fence that `line` begins with, behind marks of lists and quotes; else 0.
std::size_t fence_of(std::string_view line) {
  const std::size_t at = line.find_first_not_of(" \t>");
  if (at == line.npos || (line[at] != '`' && line[at] != '~')) return 0;
  const std::size_t end = std::min(line.find_first_not_of(line[at], at), line.size());
  return end - at >= 3 ? end - at : 0;
}

std::string_view line_at(std::string_view text, std::size_t at) { return text.substr(at, text.find('\n', at) - at); }

class Collector {
 public:
  explicit Collector(std::string_view text) : text_(text) {}

  std::vector<CodeBlock> read() {
    MD_PARSER parser{};
    // Models indent fences as they like, and <details> around a block does not make it HTML.
    parser.flags = MD_FLAG_NOINDENTEDCODEBLOCKS | MD_FLAG_NOHTML;
    parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* self) { return static_cast<Collector*>(self)->enter(type, detail); };
    parser.leave_block = [](MD_BLOCKTYPE type, void*, void* self) { return static_cast<Collector*>(self)->leave(type); };
    parser.enter_span = parser.leave_span = [](MD_SPANTYPE, void*, void*) { return 0; };
    parser.text = [](MD_TEXTTYPE, const MD_CHAR* piece, MD_SIZE size, void* self) {
      return static_cast<Collector*>(self)->add({piece, size});
    };
    if (md_parse(text_.data(), static_cast<MD_SIZE>(text_.size()), &parser, this) != 0)
      throw std::runtime_error("generate: the answer cannot be parsed as Markdown: out of memory");
    return std::move(blocks_);
  }

 private:
  int enter(MD_BLOCKTYPE type, void* detail) {
    if (type == MD_BLOCK_CODE) {
      const auto* code = static_cast<MD_BLOCK_CODE_DETAIL*>(detail);
      blocks_.push_back({std::string(code->info.text, code->info.size), "", std::move(paragraph_)});
      in_code_ = true;
      last_ = text_.npos;
    }
    paragraph_.clear();
    return 0;
  }

  int leave(MD_BLOCKTYPE type) {
    if (type != MD_BLOCK_CODE) return 0;
    in_code_ = false;
    if (last_ == text_.npos) return 0;
    CodeBlock& block = blocks_.back();
    const std::size_t newline = text_.find('\n', last_);
    block.closed = newline != text_.npos && fence_of(line_at(text_, newline + 1)) > 0;
    return 0;
  }

  int add(std::string_view piece) {
    std::string& to = in_code_ ? blocks_.back().text : paragraph_;
    to += piece;
    // md4c passes pieces of the text itself, and line ends and indentation of its own.
    const bool own = std::less_equal<>()(text_.data(), piece.data()) && std::less<>()(piece.data(), text_.data() + text_.size());
    if (!in_code_ || !own || piece.empty()) return 0;
    last_ = static_cast<std::size_t>(piece.data() - text_.data());
    if (blocks_.back().line == 0) {
      line_ += static_cast<int>(std::count(text_.begin() + counted_, text_.begin() + last_, '\n'));
      counted_ = last_;
      blocks_.back().line = line_;
    }
    return 0;
  }

  std::string_view text_;
  std::vector<CodeBlock> blocks_;
  std::string paragraph_;
  bool in_code_ = false;
  std::size_t last_ = 0, counted_ = 0;
  int line_ = 1;
};

bool holds_markdown(const CodeBlock& block) {
  if (block.info.starts_with("markdown") || block.info == "md") return true;
  for (std::size_t at = 0; at < block.text.size();) {
    const std::string_view line = line_at(block.text, at);
    if (fence_of(line) > 0) return true;
    at += line.size() + 1;
  }
  return false;
}

void add_blocks(std::vector<CodeBlock>& all, std::string_view text, int first_line, int depth) {
  for (CodeBlock& block : Collector(text).read()) {
    if (block.line > 0) block.line += first_line - 1;
    const std::size_t before = all.size();
    if (depth < kMostNested && holds_markdown(block)) {
      add_blocks(all, block.text, block.line, depth + 1);
      if (all.size() > before) all.back().closed |= block.closed;  // one fence closed both
    }
    if (all.size() == before) all.push_back(std::move(block));
  }
}

}  // namespace

std::vector<CodeBlock> code_blocks(std::string_view markdown) {
  std::vector<CodeBlock> all;
  add_blocks(all, markdown, 1, 0);
  return all;
}

}  // namespace assay::generate

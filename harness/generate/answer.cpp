// SPDX-License-Identifier: Apache-2.0
#include "assay/generate/answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <stdexcept>

#include "answer_names.h"
#include "answer_text.h"
#include "assay/record/printable.h"
#include "assay/spec/name.h"
#include "assay/spec/source_scan.h"
#include "assay/spec/whole_file.h"
#include "code_blocks.h"

namespace assay::generate {
namespace {

namespace fs = std::filesystem;
using spec::Definition, spec::is_test_macro, spec::scan_source, spec::SourceScan;
constexpr std::size_t kMostFiles = 64;

constexpr std::array kHeaderSuffixes{".h", ".hh", ".hpp", ".hxx", ".inc", ".inl", ".cuh"};
constexpr std::array kSourceSuffixes{".c", ".cc", ".cpp", ".cxx", ".c++", ".cu", ".cl"};
/// Tags of blocks that are no kernel unless nothing else is.
constexpr std::array kOtherLanguages{"python",     "py",   "bash",    "sh",    "shell", "console",  "zsh",        "json",  "yaml",
                                     "yml",        "xml",  "html",    "cmake", "make",  "text",     "txt",        "plain", "plaintext",
                                     "output",     "diff", "patch",   "asm",   "nasm",  "toml",     "rust",       "go",    "java",
                                     "javascript", "js",   "mermaid", "latex", "math",  "makefile", "dockerfile", "log",   "csv"};

constexpr std::string_view kPython = ".py";
constexpr std::array kPythonTags{"python", "py", "python3"};
/// What a line of Python begins with that is no sentence.
constexpr std::array kPythonStarts{"import ", "from ", "def ", "class ", "@", "#"};

template <class List>
bool is_in(const List& list, std::string_view word) {
  return std::ranges::find(list, word) != list.end();
}

/// Whether one of `paths` is a file of that name, in whatever folder.
bool names(const std::vector<std::string>& paths, std::string_view path) {
  return !path.empty() && std::ranges::any_of(paths, [&](const std::string& one) { return flat_name(one) == flat_name(path); });
}

std::string suffix_of(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  return dot == name.npos ? "" : std::string(name.substr(dot));
}

struct Block {
  std::string text;  ///< what would be taken
  std::string path;  ///< that the model gave it
  std::string tag;
  int line = 0;
  bool closed = true;
  bool has_tests = false;
  bool defines = false;     ///< the kernel
  bool unfinished = false;  ///< within the kernel
  bool any = false;         ///< defines functions

  std::string text_place() const { return fmt::format("{} in line {}", path.empty() ? "the block" : record::printable(path), line); }
};

std::string tag_of(std::string_view info) { return spec::lower_case(info.substr(0, info.find_first_of(" \t:,={"))); }

bool is_test_include(std::string_view line) {
  constexpr std::array headers{"gtest/", "gmock/", "benchmark/benchmark.h", "catch2/", "catch.hpp", "doctest", "boost/test/"};
  return std::ranges::any_of(headers, [&](const char* header) { return line.find(header) != line.npos; });
}

/// main(), a test, a benchmark's function.
bool is_test(const Definition& definition, std::string_view text) {
  return definition.name == "main" || is_test_macro(definition.name) ||
         text.substr(definition.begin, definition.body - definition.begin).find("benchmark::State") != text.npos;
}

/// Functions and classes of a module.
bool defines_in_python(const std::string& text) {
  for (const char* start : {"def ", "async def ", "class "})
    if (text.starts_with(start) || text.find(std::string("\n") + start) != text.npos) return true;
  return false;
}

/// `text` without main(), tests and their headers.
std::string without_tests(const std::string& text, std::vector<std::string>& notes) {
  const SourceScan scan = scan_source(text);
  std::vector<std::pair<std::size_t, std::size_t>> cuts;
  for (const Definition& definition : scan.definitions) {
    if (!is_test(definition, text)) continue;
    cuts.emplace_back(definition.begin, definition.end);
    notes.push_back(fmt::format("{}{} was removed", record::printable(definition.name), definition.name == "main" ? "()" : "(...)"));
  }
  for (const std::string_view line : scan.includes) {
    if (!is_test_include(line)) continue;
    const auto begin = static_cast<std::size_t>(line.data() - text.data());
    cuts.emplace_back(begin, begin + line.size());
    notes.push_back(fmt::format("'{}' was removed", record::printable(line)));
  }
  std::ranges::sort(cuts);
  std::string kept;
  std::size_t at = 0;
  for (const auto& [begin, end] : cuts) {
    kept.append(text, at, begin - at);
    at = std::min(end + (text.compare(end, 1, "\n") == 0 ? 1 : 0), text.size());
  }
  return kept.append(text, at);
}

/// The lines that a diff adds, where it takes none away: a new file. nullopt: it changes a file that is not here.
std::optional<std::string> added_lines(std::string_view diff) {
  std::string added;
  for (std::size_t at = 0; at < diff.size();) {
    const std::string_view line = diff.substr(at, diff.find('\n', at) - at);
    at += line.size() + 1;
    constexpr std::array heads{"diff ", "index ", "--- ", "+++ ", "@@", "new file", "\\ No newline"};
    if (std::ranges::any_of(heads, [&](const char* head) { return line.starts_with(head); })) continue;
    if (line.starts_with('+')) added.append(line.substr(1)) += '\n';
    else if (!line.empty()) return std::nullopt;
  }
  return added.empty() ? std::nullopt : std::optional(added);
}

bool is_diff(const CodeBlock& block) {
  const std::string tag = tag_of(block.info);
  return tag == "diff" || tag == "patch" || block.text.starts_with("diff --git ") ||
         (block.text.starts_with("--- ") && block.text.find("\n+++ ") != std::string::npos);
}

/// "+++ b/relu.cpp" -> "relu.cpp"
std::string path_of_diff(std::string_view diff) {
  const std::size_t at = diff.starts_with("+++ ") ? 0 : diff.find("\n+++ ");
  if (at == diff.npos) return "";
  const std::size_t begin = diff.find("+++ ", at) + 4;
  const std::string_view path = diff.substr(begin, diff.find_first_of("\t\n", begin) - begin);
  return std::string(path.starts_with("b/") ? path.substr(2) : path);
}

class Reader {
 public:
  Reader(const AnswerForm& form, Answer& answer) : form_(form), answer_(answer) {}

  void read(const std::string& text) {
    for (CodeBlock& code : code_blocks(text)) add(code);
    const auto named = [](const Block& block) { return !block.path.empty(); };
    if (std::ranges::count_if(blocks_, named) > 0) take_files();
    if (answer_.files.empty()) take_block();
    if (answer_.files.empty() && blocks_.empty()) take_text(text);
    if (answer_.files.empty()) answer_.fault = fault_.empty() ? "there is no code in it" : fault_;
  }

 private:
  void note(std::string text) { answer_.notes.push_back(std::move(text)); }

  void add(CodeBlock& code) {
    Block block;
    block.tag = tag_of(code.info);
    block.line = code.line;
    block.closed = code.closed;
    if (code.text.find_first_not_of(" \t\n") == std::string::npos) return;
    if (is_diff(code)) {
      const std::optional<std::string> added = added_lines(code.text);
      if (!added) {
        fault_ = "its diff changes a file that is not there";
        return note(fmt::format("the diff in line {} was left out: it changes a file that is not there", code.line));
      }
      note(fmt::format("the diff in line {} adds a file, which was taken", code.line));
      block.path = path_of_diff(code.text);
      block.tag.clear();
      code.text = *added;
    } else if (BlockName name = name_of(code); !name.path.empty()) {
      block.path = std::move(name.path);
      if (name.first_line) code.text.erase(0, code.text.find('\n', code.text.find_first_not_of(" \t\n")) + 1);
    }
    block.text = std::move(code.text);
    scan(block);
    blocks_.push_back(std::move(block));
  }

  bool is_python() const { return form_.suffix == kPython; }

  void scan(Block& block) const {
    if (is_python()) {
      block.any = defines_in_python(block.text);
      block.defines = block.any || names(form_.files, block.path);
      return;
    }
    const SourceScan scanned = scan_source(block.text);
    for (const Definition& definition : scanned.definitions) {
      (is_test(definition, block.text) ? block.has_tests : block.any) = true;
      if ((form_.is_solution() || definition.name == form_.function) && !definition.complete) block.unfinished = true;
    }
    if (form_.is_solution()) block.defines = block.any || names(form_.files, block.path);
    else block.defines = form_.function.empty() ? scanned.launch_block : scanned.defines(form_.function);
  }

  std::string what_defines() const {
    if (form_.is_solution()) return "defines functions";
    return form_.function.empty() ? "has a launch block" : "defines " + form_.function;
  }

  /// How good a block is as the one file of a candidate; 0: not at all. Of equals the last one counts: corrections come later.
  int rank(const Block& block) const {
    const bool other = is_python() ? !block.tag.empty() && !is_in(kPythonTags, block.tag) : is_in(kOtherLanguages, block.tag);
    if (block.defines) return (other ? 4 : 6) + (block.unfinished || !block.closed ? 0 : 1);
    if (other || (block.has_tests && !block.any)) return 0;
    return block.any ? 3 : 1;
  }

  void take(const Block& block, std::string name, std::string why) {
    std::vector<std::string> removed;
    std::string text = is_python() ? block.text : without_tests(block.text, removed);
    for (std::string& what : removed) note(fmt::format("{}: {}", block.text_place(), what));
    if (!block.closed) note(fmt::format("{} has no closing fence: the answer may be cut off", block.text_place()));
    if (!text.ends_with('\n')) text += '\n';
    answer_.files.push_back({std::move(name), std::move(text), std::move(why)});
  }

  void take_block() {
    const auto unnamed_best = [&] {
      const Block* best = nullptr;
      for (const Block& block : blocks_)
        if (why_left_out(block).empty() && rank(block) > 0 && (best == nullptr || rank(block) >= rank(*best))) best = &block;
      return best;
    };
    const Block* best = unnamed_best();
    if (best == nullptr) {
      if (fault_.empty() && !blocks_.empty()) fault_ = "no block of it is a source";
      return;
    }
    take(*best, "",
         best->defines ? fmt::format("the last block that {}, in line {}", what_defines(), best->line)
                       : fmt::format("no block {}; the last one with code, in line {}", what_defines(), best->line));
    for (const Block& block : blocks_)
      if (&block != best) note(fmt::format("{} was left out: another one was taken", block.text_place()));
  }

  /// Why a block with a name is no file of the candidate; empty where it may be one, and where it has no name.
  std::string why_left_out(const Block& block) const {
    if (block.path.empty()) return "";
    if (std::string why = why_refused(block.path); !why.empty()) return "the path " + why;
    const std::string suffix = suffix_of(block.path);
    if (!is_in(kHeaderSuffixes, suffix) && !is_in(kSourceSuffixes, suffix) && suffix != form_.suffix) return "no source, and no header";
    if (block.has_tests && !block.any) return "nothing but main() and tests";
    if (names(form_.given, block.path) && !names(form_.files, block.path)) return "the problem has that file";
    return "";
  }

  /// The name in the candidate's folder: sources have the backend's suffix, or one of the solution's.
  std::string name_in_folder(const Block& block) const {
    std::string name = flat_name(block.path);
    const std::string suffix = suffix_of(name);
    const bool is_kept = is_in(kHeaderSuffixes, suffix) ||
                         std::ranges::any_of(form_.files, [&](const std::string& file) { return suffix_of(file) == suffix; });
    return is_kept ? name : name.substr(0, name.size() - suffix.size()) + form_.suffix;
  }

  void take_files() {
    std::map<std::string, const Block*> files;  // by name in the folder
    std::map<std::string, std::string> refused;
    for (const Block& block : blocks_) {
      if (block.path.empty()) continue;
      if (const std::string why = why_left_out(block); !why.empty()) {
        if (fault_.empty()) fault_ = fmt::format("{}: {}", record::printable(block.path), why);
        note(fmt::format("{} was left out: {}", block.text_place(), why));
        continue;
      }
      const std::string name = name_in_folder(block);
      const auto [at, fresh] = files.try_emplace(name, &block);
      if (fresh) continue;
      if (at->second->path != block.path) {
        note(fmt::format("{} was left out: the path collides with {}", block.text_place(), record::printable(at->second->path)));
        continue;
      }
      note(fmt::format("{} was left out: it comes again in line {}", at->second->text_place(), block.line));
      at->second = &block;
    }
    const bool kernel = std::ranges::any_of(files, [](const auto& file) { return file.second->defines; });
    if (!kernel && !add_kernel(files)) return;
    if (files.size() > kMostFiles) {
      fault_ = fmt::format("it has {} files, more than {}", files.size(), kMostFiles);
      return;
    }
    const bool alone = files.size() == 1 && form_.files.size() <= 1;
    for (const auto& [name, block] : files) {
      if (block->path != name && !alone && !block->path.empty())
        note(fmt::format("{} is called {} in the candidate's folder", record::printable(block->path), name));
      take(*block, alone ? "" : name,
           fmt::format("{} in line {}", block->path.empty() ? "the kernel" : record::printable(block->path), block->line));
    }
    for (const Block& block : blocks_)
      if (block.path.empty() && std::ranges::none_of(files, [&](const auto& file) { return file.second == &block; }))
        note(fmt::format("{} was left out: it has no name, and others have", block.text_place()));
  }

  /// The last block without a name that is the kernel goes beside the headers that have one. False: there is none.
  bool add_kernel(std::map<std::string, const Block*>& files) const {
    const Block* kernel = nullptr;
    for (const Block& block : blocks_)
      if (block.path.empty() && block.defines) kernel = &block;
    return kernel != nullptr && files.try_emplace("candidate" + form_.suffix, kernel).second;
  }

  /// An answer without fences.
  void take_text(const std::string& text) {
    constexpr std::array starts{"#include", "#pragma",    "#define", "#if",      "//",        "/*",        "extern",
                                "static",   "inline",     "void",    "template", "using",     "namespace", "typedef",
                                "__kernel", "__global__", "kernel ", "struct",   "constexpr", "const "};
    std::size_t begin = text.npos, end = 0;
    for (std::size_t at = 0; at < text.size();) {
      const std::string_view line = std::string_view(text).substr(at, text.find('\n', at) - at);
      const std::size_t first = std::min(line.find_first_not_of(" \t"), line.size());
      const auto begins_with = [&](const char* start) { return line.substr(first).starts_with(start); };
      const bool python = is_python() && std::ranges::any_of(kPythonStarts, begins_with);
      if (begin == text.npos && (python || (!is_python() && std::ranges::any_of(starts, begins_with)))) begin = at;
      const bool goes_on = is_python() ? python || (first > 0 && first < line.size()) : line.find_first_of("};#") != line.npos;
      if (begin != text.npos && goes_on) end = at + line.size();
      at += line.size() + 1;
    }
    if (begin == text.npos || !fault_.empty()) return;
    Block block;
    block.text = text.substr(begin, end > begin ? end - begin : text.npos);
    block.line = static_cast<int>(std::count(text.begin(), text.begin() + begin, '\n')) + 1;
    scan(block);
    if (block.defines) take(block, "", fmt::format("there are no fences; the code from line {} on", block.line));
    else fault_ = "there is no code block in it, and its text is no source of the kernel";
  }

  const AnswerForm& form_;
  Answer& answer_;
  std::vector<Block> blocks_;
  std::string fault_;
};

bool is_html(std::string_view text) {
  const std::size_t at = text.find_first_not_of(" \t\n");
  if (at == text.npos) return false;
  const std::string start = spec::lower_case(text.substr(at, 14));
  return start.starts_with("<!doctype html") || start.starts_with("<html");
}

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == text.npos; }

}  // namespace

Answer read_answer(std::string_view text, const AnswerForm& form) {
  Answer answer;
  if (text.size() > kMostAnswerBytes) {
    answer.fault = fmt::format("it has {} bytes, more than {}", text.size(), kMostAnswerBytes);
    return answer;
  }
  if (is_blank(text)) {
    answer.fault = "it is empty";
    return answer;
  }
  const std::string alone = answer_alone(text, answer.notes);
  if (is_blank(alone)) answer.fault = "there is nothing in it but reasoning";
  else if (is_html(alone)) answer.fault = "it is an HTML page";
  else Reader(form, answer).read(alone);
  std::size_t bytes = 0;
  for (const TakenFile& file : answer.files) bytes += file.text.size();
  if (bytes > kMostSourceBytes) {
    answer.files.clear();
    answer.fault = fmt::format("its files have {} bytes, more than {}", bytes, kMostSourceBytes);
  }
  return answer;
}

spec::SourceText source_of(const Answer& answer) {
  if (!answer.fault.empty()) return {};
  if (answer.files.size() == 1 && answer.files.front().name.empty()) return answer.files.front().text;
  spec::SourceText::Files files;
  for (const TakenFile& taken : answer.files) files.emplace(taken.name, taken.text);
  return spec::SourceText(std::move(files));
}

void write_candidate(const Answer& answer, const fs::path& folder, int sample, const AnswerForm& form) {
  if (sample < 0 || sample > 999) throw std::runtime_error(fmt::format("generate: sample {} has no three digits", sample));
  const std::string number = fmt::format("{:03}", sample);
  fs::create_directories(folder);
  const fs::path file = folder / (number + form.suffix), several = folder / number, made = folder / ("." + number);
  if (answer.files.size() == 1 && answer.files.front().name.empty()) {
    fs::remove_all(several);
    return spec::write_whole_file("generate", file, answer.files.front().text);
  }
  fs::remove_all(made);
  fs::create_directory(made);
  for (const TakenFile& taken : answer.files) {
    if (!spec::why_no_file(taken.name).empty())
      throw std::runtime_error(fmt::format("generate: '{}' may be no file of a candidate", record::printable(taken.name)));
    spec::write_whole_file("generate", made / taken.name, taken.text);
  }
  fs::remove(file);
  fs::remove_all(several);
  fs::rename(made, several);
}

}  // namespace assay::generate

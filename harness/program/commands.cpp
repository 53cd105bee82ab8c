// SPDX-License-Identifier: Apache-2.0
#include "assay/program/commands.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <set>

namespace assay::program {
namespace {

using problem::Problem, problem::TextFile;
using Words = std::vector<std::string>;

constexpr std::array kCompilers = {"g++", "c++", "gcc", "cc", "clang++", "clang", "nvcc"};
constexpr std::array kSuffixes = {".cu", ".cpp", ".cc", ".cxx", ".c"};
/// Options whose argument is the next word.
constexpr std::array kWithArgument = {"-I",
                                      "-isystem",
                                      "-include",
                                      "-D",
                                      "-U",
                                      "-x",
                                      "-MF",
                                      "-arch",
                                      "-gencode",
                                      "-code",
                                      "-ccbin",
                                      "-std",
                                      "-Xcompiler",
                                      "-Xptxas",
                                      "-m",
                                      "-maxrregcount",
                                      "--std",
                                      "--generate-code",
                                      "--gpu-architecture",
                                      "-Xcudafe",
                                      "--compiler-options",
                                      "--ptxas-options"};
constexpr std::array kLinkWithArgument = {"-L", "-l", "-Xlinker", "--linker-options", "-cudart", "--cudart"};

template <class List>
bool is_one_of(const List& list, std::string_view word) {
  return std::ranges::any_of(list, [&](const auto& item) { return item == word; });
}

bool is_source(std::string_view word) {
  return std::ranges::any_of(kSuffixes, [&](std::string_view suffix) { return word.ends_with(suffix); });
}

bool is_of_linker(std::string_view word) {
  return word.starts_with("-l") || word.starts_with("-L") || word.starts_with("-Wl,") || word == "-static" || word.starts_with("-cudart") ||
         word.starts_with("--cudart") || word.ends_with(".a") || word.ends_with(".so") || word == "-pthread" || word == "-rdynamic";
}

std::string without_dot(const std::string& path) { return path.starts_with("./") ? path.substr(2) : path; }

std::set<std::string> paths_of(const std::vector<TextFile>& files) {
  std::set<std::string> paths;
  for (const TextFile& file : files) paths.insert(file.path);
  return paths;
}

/// Deals the sources that a word names, a pattern perhaps, to whom they are of. A word that names no file of the problem is the
/// solution's: a shell would find it there.
void deal(const std::string& word, const Problem& problem, BuildCommand& command) {
  const std::string pattern = without_dot(word);
  const auto test = paths_of(problem.test), context = paths_of(problem.context), solution = paths_of(problem.solution);
  std::set<std::string> all = test;
  all.insert(context.begin(), context.end());
  all.insert(solution.begin(), solution.end());
  bool found = false;
  for (const std::string& path : all) {
    if (fnmatch(pattern.c_str(), path.c_str(), FNM_PATHNAME | FNM_PERIOD) != 0) continue;
    found = true;
    const bool is_test = test.contains(path) || (context.contains(path) && !solution.contains(path));
    Words& sources = is_test ? command.test_sources : command.candidate_sources;
    if (!is_one_of(sources, path)) sources.push_back(path);
  }
  if (!found) throw NotSeparable(fmt::format("its build command names {}, which no file of it is", word));
}

BuildCommand take_apart(const Problem& problem) {
  if (!problem.build_command) throw NotSeparable("it has no build command");
  const auto words = split_words(*problem.build_command);
  if (!words || words->empty()) throw NotSeparable("its build command is no single command: it needs a shell");
  BuildCommand command;
  command.compiler = words->front();
  if (!is_one_of(kCompilers, command.compiler))
    throw NotSeparable(fmt::format("its build command calls {}, which is no compiler that is known", command.compiler));
  command.program = "a.out";
  for (std::size_t i = 1; i < words->size(); ++i) {
    const std::string& word = (*words)[i];
    const auto argument = [&]() -> const std::string& {
      if (i + 1 >= words->size()) throw NotSeparable(fmt::format("its build command ends with {}", word));
      return (*words)[++i];
    };
    if (word == "-o") command.program = without_dot(argument());
    else if (word == "-c" || word == "-shared" || word == "-S" || word == "-E" || word == "-dc" || word.starts_with("-rdc=true") ||
             word.starts_with("--relocatable-device-code=true"))
      throw NotSeparable(fmt::format("its build command has {}: the test and the solution cannot be linked from objects", word));
    else if (word.starts_with("-flto")) continue;  // what the linker does with symbols is the judge's business
    else if (is_one_of(kLinkWithArgument, word)) {
      command.libraries.push_back(word);
      command.libraries.push_back(argument());
    } else if (is_one_of(kWithArgument, word)) {
      command.compile_flags.push_back(word);
      command.compile_flags.push_back(argument());
    } else if (word.starts_with("-")) {
      (is_of_linker(word) ? command.libraries : command.compile_flags).push_back(word);
      if (word == "-pthread") command.compile_flags.push_back(word);
    } else if (is_source(word)) {
      deal(word, problem, command);
    } else if (is_of_linker(word)) {
      command.libraries.push_back(word);
    } else {
      throw NotSeparable(fmt::format("its build command has {}, which is neither an option nor a source", word));
    }
  }
  for (const std::string& flag : command.compile_flags)  // of the driver that links, too: OpenMP, the standard, the architecture
    command.link_flags.push_back(flag);
  if (command.candidate_sources.empty()) throw NotSeparable("its build command compiles no file of the solution: the test includes it");
  if (command.test_sources.empty()) throw NotSeparable("its build command compiles no file of the test");
  return command;
}

/// Arguments of `program` in `line`; nullopt where it calls something else.
std::optional<Words> arguments_of(const std::string& line, const std::string& program) {
  auto words = split_words(line);
  if (!words || words->empty() || without_dot(words->front()) != program || !words->front().starts_with("./")) return {};
  words->erase(words->begin());
  return words;
}

}  // namespace

std::optional<Words> split_words(std::string_view line) {
  Words words;
  std::string word;
  bool begun = false;
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote == '\'') {
      if (c == '\'') quote = 0;
      else word += c;
    } else if (c == '\\' && i + 1 < line.size() && (quote == 0 || line[i + 1] == '"' || line[i + 1] == '\\')) {
      if (line[++i] != '\n') word += line[i];  // else the line goes on
      begun = begun || line[i] != '\n';
    } else if (quote == '"') {
      if (c == '"') quote = 0;
      else if (c == '$' || c == '`') return {};
      else word += c;
    } else if (c == '\'' || c == '"') {
      quote = c;
      begun = true;
    } else if (c == ' ' || c == '\t') {
      if (begun) words.push_back(std::move(word)), word.clear(), begun = false;
    } else if (std::string_view("|&;<>()$`\n#~{}!").find(c) != std::string_view::npos) {
      if (c == '\n' && line.find_first_not_of(" \t\n", i) == line.npos) break;  // the end of the line
      return {};
    } else {
      word += c;
      begun = true;
    }
  }
  if (quote != 0) return {};
  if (begun) words.push_back(std::move(word));
  return words;
}

Commands commands_of(const Problem& problem) {
  if (problem.type != "cuda_cpp") throw NotSeparable(fmt::format("a problem of type {} is judged by its commands alone", problem.type));
  if (problem.solution.empty()) throw NotSeparable("it has no reference solution, which says what the test takes from a solution");
  Commands commands;
  commands.build = take_apart(problem);
  const auto test = arguments_of(problem.test_command, commands.build.program);
  if (!test) throw NotSeparable(fmt::format("its test command does not just call ./{}", commands.build.program));
  commands.test = *test;
  if (problem.benchmark_command)
    if (const auto benchmark = arguments_of(*problem.benchmark_command, commands.build.program)) {
      commands.benchmark = *benchmark;
      commands.has_benchmark = true;
    }
  return commands;
}

}  // namespace assay::program

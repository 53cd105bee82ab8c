// SPDX-License-Identifier: Apache-2.0
// mutate: puts small faults into a C++ source, one at a time. Prints one line per mutation, separated by
// tabs: number, kind, function, line number, original text, mutated text. Exit status: 0, or 2 for what
// cannot be read or written.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "choose.h"
#include "find_mutations.h"

namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  if (!file) throw std::runtime_error(fmt::format("{}: cannot be read", path.string()));
  return text.str();
}

/// Leaves a file alone that has this text: a build then has nothing to do for it.
void write(const fs::path& path, const std::string& text) {
  if (fs::exists(path) && read(path) == text) return;
  std::ofstream file(path, std::ios::binary);
  if (!(file << text).flush()) throw std::runtime_error(fmt::format("{}: cannot be written", path.string()));
}

/// Samples 000 (the source as it is), 001, ...; files of an earlier, larger set go away.
void write_all(const fs::path& folder, const std::string& suffix, const assay::Source& source,
               const std::vector<assay::Mutation>& mutations) {
  fs::create_directories(folder);
  const auto path = [&](std::size_t number) { return folder / fmt::format("{:03}{}", number, suffix); };
  write(path(0), source.text());
  for (std::size_t i = 0; i < mutations.size(); ++i) write(path(i + 1), assay::apply(source, mutations[i]));
  for (std::size_t number = mutations.size() + 1; fs::remove(path(number)); ++number) continue;
}

void keep_only(const std::vector<std::string>& functions, std::vector<assay::Mutation>& mutations) {
  if (functions.empty()) return;
  for (const std::string& name : functions)
    if (std::ranges::find(mutations, name, &assay::Mutation::function) == mutations.end())
      throw std::runtime_error(fmt::format("--function {}: there is nothing to mutate in one of that name", name));
  std::erase_if(mutations, [&](const assay::Mutation& m) { return std::ranges::find(functions, m.function) == functions.end(); });
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Puts small faults into a C++ source, one at a time, and lists them"};
  fs::path path, folder;
  std::vector<std::string> include_folders, functions;
  std::size_t count = 999;
  app.add_option("source", path, "The file to mutate")->required()->check(CLI::ExistingFile);
  app.add_option("-I,--include", include_folders, "Folder of headers that it includes")->check(CLI::ExistingDirectory);
  app.add_option("--function", functions, "Only mutations in this function; may be repeated")->allow_extra_args(false);
  app.add_option("-n,--count", count, "How many mutations at most")->check(CLI::Range(0, 999))->capture_default_str();
  app.add_option("-o,--out", folder, "Write a drop-in folder of a task: 000 is the source itself, 001 ... the mutants");
  CLI11_PARSE(app, argc, argv);
  try {
    const assay::Source source(path.string(), read(path), include_folders);
    std::vector<assay::Mutation> found = assay::find_mutations(source);
    keep_only(functions, found);
    const std::vector<assay::Mutation> chosen = assay::choose(std::move(found), count, path.filename().string());
    if (!folder.empty()) write_all(folder, path.extension().string(), source, chosen);
    int number = 0;
    for (const assay::Mutation& m : chosen)
      fmt::print("{:03}\t{}\t{}\t{}\t{}\t{}\n", ++number, name(m.kind), m.function, m.line, m.original, m.mutated);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "mutate: {}\n", error.what());
    return 2;
  }
}

// SPDX-License-Identifier: Apache-2.0
// replay <target> <file or folder>... runs a fuzz target on files, without a fuzzer: every file of the corpus is a regression test.
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "property.h"

namespace assay {
namespace {

/// By name; made by whichever target is known first.
std::map<std::string, FuzzTarget>& targets() {
  static std::map<std::string, FuzzTarget> all;
  return all;
}

}  // namespace

bool know_target(const char* name, FuzzTarget target) { return targets().emplace(name, target).second; }

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_of(const fs::path& path) {
  if (!fs::is_directory(path)) return {path};
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(path))
    if (entry.is_regular_file()) files.push_back(entry.path());
  return files;
}

bool holds(FuzzTarget target, const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  std::printf("%s\n", file.c_str());
  std::fflush(stdout);  // the last line before an abort names the file
  try {
    target(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    return true;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: an exception that no reader may throw: %s\n", file.c_str(), error.what());
    return false;
  }
}

int replay(const std::vector<std::string>& arguments) {
  const auto target = arguments.empty() ? targets().end() : targets().find(arguments.front());
  if (target == targets().end()) {
    std::fprintf(stderr, "replay: no target '%s'. known:", arguments.empty() ? "" : arguments.front().c_str());
    for (const auto& [name, known] : targets()) std::fprintf(stderr, " %s", name.c_str());
    std::fprintf(stderr, ". do: replay <target> <file or folder>...\n");
    return 1;
  }
  std::size_t count = 0, failed = 0;
  for (std::size_t i = 1; i < arguments.size(); ++i)
    for (const fs::path& file : files_of(arguments[i])) ++count, failed += holds(target->second, file) ? 0 : 1;
  std::printf("%zu files, %zu failed\n", count, failed);
  if (count == 0) std::fprintf(stderr, "replay: no file. do: name files or folders\n");
  return count == 0 || failed > 0 ? 1 : 0;
}

}  // namespace
}  // namespace assay

int main(int argc, char** argv) { return assay::replay({argv + 1, argv + argc}); }

// SPDX-License-Identifier: Apache-2.0
// Runs a fuzz target on files, without a fuzzer: every file of the corpus is a regression test.
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_of(const fs::path& path) {
  if (!fs::is_directory(path)) return {path};
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(path))
    if (entry.is_regular_file()) files.push_back(entry.path());
  return files;
}

bool run(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  std::printf("%s\n", file.c_str());
  std::fflush(stdout);  // the last line before an abort names the file
  try {
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    return true;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: an exception that no reader may throw: %s\n", file.c_str(), error.what());
    return false;
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t count = 0, failed = 0;
  for (int i = 1; i < argc; ++i)
    for (const fs::path& file : files_of(argv[i])) ++count, failed += run(file) ? 0 : 1;
  std::printf("%zu files, %zu failed\n", count, failed);
  if (count == 0) std::fprintf(stderr, "replay: no file. do: name files or folders\n");
  return count == 0 || failed > 0 ? 1 : 0;
}

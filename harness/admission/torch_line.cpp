// SPDX-License-Identifier: Apache-2.0
#include "assay/admission/torch_line.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <vector>

#include "assay/cases/oracle_files.h"

extern char** environ;

namespace assay::admission {

/// compare_torch.py, which the build makes a text of.
extern const char* const kCompareTorch;

namespace {

namespace fs = std::filesystem;
constexpr int kNoTorch = 3, kNoProgram = 127;

class Folder {
 public:
  Folder() : path_((fs::temp_directory_path() / "assay_torch_XXXXXX").string()) {
    if (mkdtemp(path_.data()) == nullptr)
      throw std::runtime_error(fmt::format("admit: no folder {}. do: make room, or set TMPDIR to a folder that can be written", path_));
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// The exit code of the program, whose output goes to `file`.
int run(std::vector<std::string> words, const std::string& file) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t child = 0;
  const int error = posix_spawnp(&child, argv.front(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return kNoProgram;
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string text_of(const std::string& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TorchComparison compare_torch_line(const spec::Task& task, const cases::Seed& seed, const std::string& python) {
  using Result = TorchComparison::Result;
  if (task.torch.empty()) return {};
  const Folder folder;
  const std::string said = folder.path() + "/said.txt";
  // Looked for before inputs are written: most machines have none.
  const std::string look = fmt::format("from importlib.util import find_spec; exit(0 if find_spec('torch') else {})", kNoTorch);
  if (run({python, "-c", look}, said) != 0)
    return {Result::not_compared, fmt::format("'{}' has no PyTorch. do: give a Python that has by --torch", python)};
  cases::write_oracle(task, {}, seed, folder.path());
  const int code = run({python, "-B", "-c", kCompareTorch, "--folder", folder.path()}, said);
  return {code == 0 ? Result::agrees : code == kNoTorch ? Result::not_compared : Result::differs, text_of(said)};
}

}  // namespace assay::admission

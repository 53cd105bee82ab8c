// SPDX-License-Identifier: Apache-2.0
#include "work_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "assay/compile/scratch.h"

namespace assay::score {
namespace {

namespace fs = std::filesystem;
constexpr std::string_view kPrefix = "work.";

/// The folder, locked; none where another process has it.
spec::Descriptor lock_of(const fs::path& folder) {
  spec::Descriptor opened(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
  if (opened && flock(opened.get(), LOCK_EX | LOCK_NB) != 0) opened.close();
  return opened;
}

void remove_abandoned(const fs::path& root) {
  for (const auto& entry : fs::directory_iterator(root))
    if (entry.path().filename().string().starts_with(kPrefix)) compile::remove_if_left(entry.path());
}

}  // namespace

WorkFolder::WorkFolder(const fs::path& root) {
  const auto fail = [&](const char* what) {
    return std::runtime_error(
        fmt::format("score: {} {}: {}. do: make it writable, or name another build folder", root.string(), what, std::strerror(errno)));
  };
  std::error_code error;
  fs::create_directories(root, error);
  std::string name = root / (std::string(kPrefix) + "XXXXXX");
  // Made and locked before others look for abandoned ones: they hold the root's lock meanwhile.
  const spec::Descriptor turn(open(root.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!turn) throw fail("cannot be made");
  flock(turn.get(), LOCK_EX);
  remove_abandoned(root);
  if (mkdtemp(name.data()) == nullptr) throw fail("cannot be written");
  path_ = name;
  lock_ = lock_of(path_);
}

WorkFolder::~WorkFolder() {
  try {
    compile::remove_tree(path_);
  } catch (const std::exception&) {  // the next one's to remove
  }
}

}  // namespace assay::score

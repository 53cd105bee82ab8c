// SPDX-License-Identifier: Apache-2.0
#include "assay/compile/scratch.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "assay/compile/compilation.h"
#include "assay/record/output.h"
#include "assay/spec/descriptor.h"

namespace assay::compile {
namespace {

using plan::Candidate;

namespace fs = std::filesystem;
using Folder = std::unique_ptr<DIR, int (*)(DIR*)>;

[[noreturn]] void fail(const std::string& name) {
  throw std::runtime_error(
      fmt::format("compile: {} cannot be removed: {}. do: remove it, and make its folder writable", name, std::strerror(errno)));
}

/// Opens a folder of its owner's for reading and writing, whatever its permissions are. Null where it is no folder.
Folder open_folder(int at, const char* name) {
  int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  const bool is_folder = fd >= 0 || errno == EACCES;
  if (is_folder && fchmodat(at, name, 0700, 0) == 0 && fd < 0) fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  return {fd < 0 ? nullptr : fdopendir(fd), closedir};
}

std::vector<std::string> names_in(DIR* folder) {
  std::vector<std::string> names;
  rewinddir(folder);
  while (const dirent* entry = readdir(folder))
    if (const std::string name = entry->d_name; name != "." && name != "..") names.push_back(name);
  return names;
}

/// Removes all in `top`, and leaves it. Folders inside a folder are moved to `top` before it goes, so that two descriptors do for
/// any depth.
void empty_folder(DIR* top) {
  const int root = dirfd(top);
  std::size_t moved = 0;
  for (std::vector<std::string> names = names_in(top); !names.empty(); names = names_in(top))
    for (const std::string& name : names) {
      if (unlinkat(root, name.c_str(), 0) == 0) continue;
      const Folder folder = open_folder(root, name.c_str());
      if (folder == nullptr) fail(name);
      for (const std::string& inner : names_in(folder.get())) {
        if (unlinkat(dirfd(folder.get()), inner.c_str(), 0) == 0) continue;
        if (fchmodat(dirfd(folder.get()), inner.c_str(), 0700, 0) != 0) fail(inner);  // a folder that moves is written to
        while (renameat2(dirfd(folder.get()), inner.c_str(), root, fmt::format("moved.{}", moved++).c_str(), RENAME_NOREPLACE) != 0)
          if (errno != EEXIST) fail(inner);
      }
      if (unlinkat(root, name.c_str(), AT_REMOVEDIR) != 0) fail(name);
    }
}

spec::Descriptor open_to_lock(const fs::path& folder) {
  return spec::Descriptor(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

}  // namespace

void remove_tree(const fs::path& path) {
  if (unlink(path.c_str()) == 0 || errno == ENOENT || errno == ENOTDIR) return;
  const Folder folder = open_folder(AT_FDCWD, path.c_str());
  if (folder == nullptr) fail(path.string());
  empty_folder(folder.get());
  if (rmdir(path.c_str()) != 0) fail(path.string());
}

void remove_if_left(const fs::path& folder) {
  chmod(folder.c_str(), 0700);
  const spec::Descriptor lock = open_to_lock(folder);
  if (!lock) return;
  try {
    if (flock(lock.get(), LOCK_EX | LOCK_NB) == 0) remove_tree(folder);
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "assay: %s\n", record::harmless(error.what()).c_str());  // in nobody's way
  }
}

Scratch::Scratch(const Candidate& candidate) {
  const Turn turn(candidate);  // nobody sees the new folder before it is locked
  const fs::path parent = candidate.prefix.parent_path();
  const std::string stem = candidate.prefix.filename().string() + ".tmp.";
  for (const auto& entry : fs::directory_iterator(parent))
    if (entry.path().filename().string().starts_with(stem)) remove_if_left(entry.path());
  path_ = parent / fmt::format("{}{}", stem, getpid());
  if (mkdir(path_.c_str(), 0777) == 0) lock_ = open_to_lock(path_);
  if (!lock_)
    throw std::runtime_error(
        fmt::format("compile: {} cannot be made: {}. do: check the disk's space and rights", path_.string(), std::strerror(errno)));
  flock(lock_.get(), LOCK_EX | LOCK_NB);
}

Scratch::~Scratch() {
  try {
    remove_tree(path_);
  } catch (const std::runtime_error&) {  // the next compilation tries again
  }
}

void Scratch::empty() const {
  const Folder folder = open_folder(AT_FDCWD, path_.c_str());
  if (folder != nullptr) empty_folder(folder.get());
}

}  // namespace assay::compile

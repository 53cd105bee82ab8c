// SPDX-License-Identifier: Apache-2.0
#include "assay/spec/whole_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "assay/spec/descriptor.h"

namespace assay::spec {
namespace {

namespace fs = std::filesystem;

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

bool write_directly(const fs::path& file, std::string_view bytes) {
  const Descriptor out(open(file.c_str(), O_WRONLY | O_CLOEXEC));
  return out.get() >= 0 && write_all(out.get(), bytes);
}

/// A file without a name disappears with its writer. Some file systems have none: then it is written under
/// its second name.
bool write_beside(const fs::path& beside, std::string_view bytes) {
  const std::string folder = beside.has_parent_path() ? beside.parent_path().string() : ".";
  const Descriptor nameless(open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666));
  if (nameless.get() >= 0) {
    const std::string handle = fmt::format("/proc/self/fd/{}", nameless.get());
    return write_all(nameless.get(), bytes) && linkat(AT_FDCWD, handle.c_str(), AT_FDCWD, beside.c_str(), AT_SYMLINK_FOLLOW) == 0;
  }
  if (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL) return false;
  const Descriptor named(open(beside.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0666));
  return named.get() >= 0 && write_all(named.get(), bytes);
}

bool replace(const fs::path& file, std::string_view bytes) {
  const fs::path beside = fmt::format("{}.{}", file.string(), getpid());
  unlink(beside.c_str());  // of a process of the same number that died here
  if (write_beside(beside, bytes) && rename(beside.c_str(), file.c_str()) == 0) return true;
  const int error = errno;
  unlink(beside.c_str());
  errno = error;
  return false;
}

const char* remedy(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT: return "free some space on its disk";
    case EROFS:
    case EACCES:
    case EPERM: return "make its folder writable";
    default: return "check that its folder is there";
  }
}

}  // namespace

void write_whole_file(std::string_view who, const fs::path& file, std::string_view bytes) {
  std::error_code ignored;
  const fs::file_status there = fs::status(file, ignored);
  const bool special = fs::exists(there) && !fs::is_regular_file(there);
  const fs::path target = fs::is_symlink(file, ignored) ? fs::weakly_canonical(file, ignored) : file;
  if (special ? write_directly(file, bytes) : replace(target, bytes)) return;
  const int error = errno;
  throw std::runtime_error(fmt::format("{}: {} cannot be written: {}. do: {}", who, file.string(), std::strerror(error), remedy(error)));
}

}  // namespace assay::spec

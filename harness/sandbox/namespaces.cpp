// SPDX-License-Identifier: Apache-2.0
// An empty root: a private tmpfs that holds read-only views of the allowed paths, and nothing else.
// Runs in the child, which is alone in new namespaces and has every capability inside them until it executes.
#include <fcntl.h>
#include <linux/mount.h>
#include <sys/mount.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "confine.h"

namespace assay::sandbox {
namespace {

namespace fs = std::filesystem;
constexpr unsigned kNobody = 65534;

bool write_file(const char* path, const std::string& text) {
  const int fd = open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const bool written = write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  close(fd);
  return written;
}

/// `path` without links, as the old root has it. Absolute links lead into the new root as long as this process is in it.
fs::path resolved(const fs::path& path, int depth = 0) {
  constexpr int kMostLinks = 40;  // as the kernel's own limit
  fs::path done = "/";
  for (const fs::path& part : path.relative_path()) {
    done = (done / part).lexically_normal();
    std::error_code error;
    const fs::path link = fs::read_symlink("/old" + done.string(), error);
    if (!error && depth < kMostLinks) done = resolved(done.parent_path() / link, depth + 1);
  }
  return done;
}

bool set_attributes(const char* path, std::uint64_t attributes, unsigned flags = AT_RECURSIVE) {
  mount_attr wanted{};
  wanted.attr_set = attributes;
  return syscall(SYS_mount_setattr, -1, path, flags, &wanted, sizeof wanted) == 0;
}

bool make_read_only(const char* path, bool device) {
  return set_attributes(path, MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | (device ? 0u : static_cast<unsigned>(MOUNT_ATTR_NODEV)));
}

/// `path` of the old root, a file or a folder of them, as the same of the new one, with pages of its own.
bool copy(const fs::path& path) {
  std::error_code error;
  if (fs::is_directory("/old" + resolved(path).string(), error)) {
    fs::create_directories(path, error);
    bool copied = true;
    for (const auto& entry : fs::directory_iterator("/old" + resolved(path).string(), error))
      if (entry.is_directory() || entry.is_regular_file()) copied = copied && copy(path / entry.path().filename());
    return copied && !error;
  }
  fs::create_directories(path.parent_path(), error);
  const int from = open(("/old" + resolved(path).string()).c_str(), O_RDONLY | O_CLOEXEC);
  const int to = open(path.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0555);
  ssize_t copied = from < 0 || to < 0 ? -1 : 1;
  constexpr std::size_t kMost = std::size_t{1} << 30;
  while (copied > 0) copied = sendfile(to, from, nullptr, kMost);
  if (from >= 0) close(from);
  if (to >= 0) close(to);
  return copied == 0;
}

/// Links of the root itself (/lib to usr/lib) are made again: "/lib/../share" is a folder of /usr, as programs know.
bool is_link_of_root(const fs::path& path) {
  std::error_code error;
  return path.parent_path() == "/" && fs::is_symlink("/old" + path.string(), error);
}

/// Shows `path` of the old root at the same place of the new one, whatever links lead to it.
bool bind(const fs::path& path, bool writable, bool device = false) {
  std::error_code error;
  if (is_link_of_root(path)) {
    const fs::path target = resolved(path);
    fs::create_symlink(target, path, error);
    return fs::exists(target) || bind(target, writable, device);
  }
  // A folder that is there already may show it: the file itself, or a link to what is not shown yet, which may be a link again.
  if (fs::is_symlink(fs::symlink_status(path, error)) && !fs::exists(path, error))
    return bind((path.parent_path() / fs::read_symlink(path)).lexically_normal(), writable, device);
  if (!writable && fs::exists(path, error) && !fs::is_directory(path, error)) return true;
  const fs::path source = "/old" + resolved(path).string();
  const auto status = fs::status(source, error);
  if (!fs::exists(status)) return true;
  fs::create_directories(path.parent_path(), error);
  if (fs::is_directory(status)) {
    fs::create_directory(path, error);
  } else {
    const int fd = open(path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
    if (fd >= 0) close(fd);
  }
  if (mount(source.c_str(), path.c_str(), nullptr, MS_BIND | MS_REC, nullptr) != 0) return false;
  return writable || make_read_only(path.c_str(), device);
}

}  // namespace

const char* enter_empty_root(const ConfinedCommand& command, unsigned outer_uid, unsigned outer_gid) {
  if (!write_file("/proc/self/setgroups", "deny")) return "setgroups";
  if (!write_file("/proc/self/uid_map", std::to_string(kNobody) + " " + std::to_string(outer_uid) + " 1")) return "uid_map";
  if (!write_file("/proc/self/gid_map", std::to_string(kNobody) + " " + std::to_string(outer_gid) + " 1")) return "gid_map";
  if (mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return "private mounts";
  if (mount("tmpfs", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, "size=512m,mode=0755") != 0) return "tmpfs";
  if (mkdir("/tmp/old", 0755) != 0 || syscall(SYS_pivot_root, "/tmp", "/tmp/old") != 0) return "pivot_root";
  if (chdir("/") != 0) return "chdir";
  for (const fs::path& path : devices_of(command))
    if (!bind(path, false, true)) return "bind device";
  // Shorter paths first: a folder must be there before what is shown inside it.
  for (const fs::path& path : readable_of(command))
    if (!bind(path, false)) return "bind";
  for (const fs::path& path : command.private_copies)
    if (!copy(path)) return "copy";
  for (const fs::path& path : writable_of(command))
    if (!bind(path, true)) return "bind writable";
  if (umount2("/old", MNT_DETACH) != 0 || rmdir("/old") != 0) return "leave the old root";
  // The root's own mount alone: the folders that may be written are mounts of theirs.
  if (!set_attributes("/", MOUNT_ATTR_RDONLY, 0)) return "read-only root";
  return nullptr;
}

}  // namespace assay::sandbox

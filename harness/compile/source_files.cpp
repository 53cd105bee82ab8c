// SPDX-License-Identifier: Apache-2.0
#include "assay/compile/source_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <stdexcept>

#include "assay/spec/descriptor.h"
#include "assay/spec/digest.h"
#include "assay/spec/whole_file.h"

namespace assay::compile {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t kMostBytes = 1 << 20, kMostFiles = 1000;
constexpr int kMostFolders = 8;  // one inside the other

/// Why the files are no candidate.
struct Unfit {
  std::string why;
};

/// Says why `name` was not opened: what its author did, or this machine.
[[noreturn]] void blame(const fs::path& name, int error) {
  if (error == ENOENT || error == ENOTDIR) throw Unfit{"the file does not exist"};
  if (error == EACCES) throw Unfit{fmt::format("{} cannot be read", name.string())};
  throw std::runtime_error(fmt::format("compile: {} cannot be opened: {}", name.string(), std::strerror(error)));
}

class Reader {
 public:
  /// `at` is a folder's descriptor, `name` what is in it, `shown` how messages and compilers call it.
  void read(int at, const char* name, const fs::path& shown, int depth) {
    const spec::Descriptor found(openat(at, name, O_PATH | O_NOFOLLOW | O_CLOEXEC));  // opens nothing yet: a device may act on that
    struct stat status {};
    if (found.get() < 0 || fstat(found.get(), &status) != 0) blame(shown, errno);
    if (S_ISLNK(status.st_mode)) throw Unfit{fmt::format("{} is a symbolic link. do: put the file itself here", shown.string())};
    if (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) throw Unfit{fmt::format("{} is neither a file nor a folder", shown.string())};
    if (S_ISREG(status.st_mode) && status.st_nlink > 1)
      throw Unfit{fmt::format("{} is a hard link, a file of {} names. do: put a copy here", shown.string(), status.st_nlink)};
    // The compiler takes one in place of the header beside it, and takes its bytes for memory of its own.
    if (const fs::path extension = shown.extension(); extension == ".gch" || extension == ".pch")
      throw Unfit{fmt::format("{} is a precompiled header. do: send the header", shown.string())};
    const spec::Descriptor opened(open(fmt::format("/proc/self/fd/{}", found.get()).c_str(), O_RDONLY | O_CLOEXEC));
    if (opened.get() < 0) blame(shown, errno);
    if (S_ISDIR(status.st_mode)) read_folder(opened.get(), depth == 0 ? fs::path() : shown, depth);
    else read_file(opened.get(), shown, static_cast<std::uintmax_t>(status.st_size));
  }

  std::vector<SourceFile> files;

 private:
  void read_folder(int fd, const fs::path& shown, int depth) {
    if (depth >= kMostFolders) throw Unfit{fmt::format("{} lies in more than {} folders", shown.string(), kMostFolders)};
    const std::unique_ptr<DIR, int (*)(DIR*)> folder(fdopendir(dup(fd)), closedir);
    if (folder == nullptr) throw std::runtime_error(fmt::format("compile: {}: {}", shown.string(), std::strerror(errno)));
    while (const dirent* entry = readdir(folder.get())) {
      if (entry->d_name[0] == '.') continue;
      if (++seen_ > kMostFiles) throw Unfit{fmt::format("the folder has more than {} files", kMostFiles)};
      read(fd, entry->d_name, shown / entry->d_name, depth + 1);
    }
  }

  void read_file(int fd, const fs::path& shown, std::uintmax_t bytes) {
    if (bytes_ + bytes > kMostBytes)
      throw Unfit{fmt::format("the source has {} bytes, more than the limit of {}", bytes_ + bytes, kMostBytes)};
    SourceFile file{shown, {}};
    char buffer[1 << 16];
    ssize_t got = 0;
    while ((got = ::read(fd, buffer, sizeof buffer)) > 0 || (got < 0 && errno == EINTR)) {
      file.text.append(buffer, static_cast<std::size_t>(std::max<ssize_t>(0, got)));
      if (bytes_ + file.text.size() > kMostBytes) throw Unfit{"the source grows beyond the limit while it is read"};
    }
    if (got < 0) throw std::runtime_error(fmt::format("compile: {} cannot be read: {}", shown.string(), std::strerror(errno)));
    bytes_ += file.text.size();
    files.push_back(std::move(file));
  }

  std::uintmax_t bytes_ = 0;
  std::size_t seen_ = 0;
};

}  // namespace

SourceFiles read_source_files(const fs::path& source) try {
  Reader reader;
  reader.read(AT_FDCWD, source.c_str(), source.filename(), 0);
  std::ranges::sort(reader.files, {}, &SourceFile::name);
  const bool empty = !reader.files.empty() && std::ranges::all_of(reader.files, [](const SourceFile& file) { return file.text.empty(); });
  return {std::move(reader.files), empty ? "the source is empty" : ""};
} catch (const Unfit& unfit) {
  return {{}, unfit.why};
}

std::string fingerprint_of(const SourceFiles& sources) {
  if (!sources.fault.empty()) return "unfit";
  std::vector<std::string_view> parts;
  for (const SourceFile& file : sources.files) parts.insert(parts.end(), {file.name.native(), file.text});
  return spec::digest(parts);
}

void write_source_files(const SourceFiles& sources, const fs::path& folder) {
  for (const SourceFile& file : sources.files) {
    const fs::path path = folder / file.name;
    fs::create_directories(path.parent_path());
    spec::write_whole_file("compile", path, file.text);
  }
}

std::string text_of(const SourceFiles& sources) {
  std::string text = sources.fault;
  for (const SourceFile& file : sources.files)
    text += (sources.files.size() > 1 ? fmt::format("// {}\n", file.name.string()) : "") + file.text;
  return text;
}

}  // namespace assay::compile

// SPDX-License-Identifier: Apache-2.0
#include "resident.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <map>

#include "assay/spec/descriptor.h"

namespace assay::trial {
namespace {

struct Mapping {
  void* memory = MAP_FAILED;
  std::size_t bytes = 0;
};

Mapping map(const std::filesystem::path& file) {
  Mapping mapping;
  const spec::Descriptor opened(open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  struct stat status {};
  if (opened && fstat(opened.get(), &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
    mapping.bytes = static_cast<std::size_t>(status.st_size);
    mapping.memory = mmap(nullptr, mapping.bytes, PROT_READ, MAP_SHARED | MAP_POPULATE, opened.get(), 0);
  }
  return mapping;
}

}  // namespace

void keep_in_memory(std::span<const std::filesystem::path> files) {
  static std::map<std::filesystem::path, Mapping> mapped;
  for (const std::filesystem::path& file : files) {
    const auto [at, is_new] = mapped.try_emplace(file);
    if (is_new) {
      at->second = map(file);
    } else if (const Mapping& mapping = at->second; mapping.memory != MAP_FAILED) {
      constexpr int kPopulateRead = 22;  // MADV_POPULATE_READ, Linux 5.14; a reclaimed page comes back when it is touched
      if (madvise(mapping.memory, mapping.bytes, kPopulateRead) == 0) continue;
      for (std::size_t page = 0; page < mapping.bytes; page += 4096) static_cast<const volatile char*>(mapping.memory)[page];
    }
  }
}

}  // namespace assay::trial

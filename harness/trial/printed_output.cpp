// SPDX-License-Identifier: Apache-2.0
#include "assay/trial/printed_output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "assay/sandbox/sandbox.h"

namespace assay::trial {

PrintedOutput::PrintedOutput(std::filesystem::path file) : file_(std::move(file)) {
  if (file_.empty()) return;
  memory_ = spec::Descriptor(memfd_create("printed", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!memory_ || ftruncate(fd(), kMost) != 0 || fcntl(fd(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
    throw sandbox::SandboxError(fmt::format("box: no memory file for what a candidate prints: {}", std::strerror(errno)));
}

PrintedOutput::~PrintedOutput() {
  if (!memory_) return;
  // The box writes through the same open file, whose position tells how much there is.
  const off_t end = std::min<off_t>(lseek(fd(), 0, SEEK_CUR), kMost);
  const void* text = end > 0 ? mmap(nullptr, static_cast<std::size_t>(end), PROT_READ, MAP_SHARED, fd(), 0) : MAP_FAILED;
  const spec::Descriptor to(open(file_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0644));
  if (to && text != MAP_FAILED) [[maybe_unused]]
    const ssize_t written = write(to.get(), text, static_cast<std::size_t>(end));
  if (text != MAP_FAILED) munmap(const_cast<void*>(text), static_cast<std::size_t>(end));
}

}  // namespace assay::trial

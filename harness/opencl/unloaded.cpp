// SPDX-License-Identifier: Apache-2.0
// Preloaded where PoCL only compiles kernels into its cache: the process may write there and start a linker, and so nothing of a
// candidate's may run in it. A driver that loads what it has just compiled gets a handle without code here, and every function of
// that does nothing. Nor may a candidate take code of the machine's by its assembler (.incbin): objects, libraries and archives
// are not there for the compiler. The loader, which opens the driver's libraries, and the linker, another process, see them.
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <string_view>

namespace {

char unloaded;

void does_nothing() {}

[[gnu::constructor]] void keep_from_children() { unsetenv("LD_PRELOAD"); }

template <class Function>
Function* next(const char* name) {
  for (const char* version : {"GLIBC_2.34", "GLIBC_2.17", "GLIBC_2.4", "GLIBC_2.2.5"})
    if (void* found = dlvsym(RTLD_NEXT, name, version); found != nullptr) return reinterpret_cast<Function*>(found);
  std::abort();
}

bool is_in_cache(const char* file) {
  const char* cache = std::getenv("POCL_CACHE_DIR");
  if (file == nullptr || cache == nullptr) return false;
  const std::string_view name = file;
  return name.starts_with(cache) && name.find("/../") == name.npos;
}

bool holds_machine_code(int fd) {
  std::array<char, 8> first{};
  const ssize_t count = pread(fd, first.data(), first.size(), 0);
  const std::string_view magic(first.data(), count < 0 ? 0 : static_cast<std::size_t>(count));
  return magic.starts_with("\177ELF") || magic == "!<arch>\n" || magic == "!<thin>\n";
}

/// `fd`, or -1 with ENOENT.
int unless_machine_code(const char* file, int fd) {
  if (fd < 0 || is_in_cache(file) || !holds_machine_code(fd)) return fd;
  close(fd);
  errno = ENOENT;
  return -1;
}

/// `mode` is read where a file is made, and ignored elsewhere.
template <class... Folder>
int open_other_files(const char* function, const char* file, int flags, mode_t mode, Folder... folder) {
  auto* const real = next<int(Folder..., const char*, int, ...)>(function);
  return unless_machine_code(file, real(folder..., file, flags, mode));
}

}  // namespace

extern "C" void* dlopen(const char* file, int mode) noexcept {
  static auto* const real = next<void*(const char*, int)>("dlopen");
  return is_in_cache(file) ? &unloaded : real(file, mode);
}

extern "C" void* dlsym(void* handle, const char* name) noexcept {
  static auto* const real = next<void*(void*, const char*)>("dlsym");
  return handle == &unloaded ? reinterpret_cast<void*>(does_nothing) : real(handle, name);
}

extern "C" int dlclose(void* handle) noexcept {
  static auto* const real = next<int(void*)>("dlclose");
  return handle == &unloaded ? 0 : real(handle);
}

// By another name here: the C library's header may define it inline.
extern "C" int open_file(const char* file, int flags, mode_t mode) asm("open");
extern "C" int open_file(const char* file, int flags, mode_t mode) { return open_other_files("open", file, flags, mode); }

extern "C" int open_large_file(const char* file, int flags, mode_t mode) asm("open64");
extern "C" int open_large_file(const char* file, int flags, mode_t mode) { return open_other_files("open64", file, flags, mode); }

extern "C" int open_file_in(int folder, const char* file, int flags, mode_t mode) asm("openat");
extern "C" int open_file_in(int folder, const char* file, int flags, mode_t mode) {
  return open_other_files("openat", file, flags, mode, folder);
}

extern "C" int open_large_file_in(int folder, const char* file, int flags, mode_t mode) asm("openat64");
extern "C" int open_large_file_in(int folder, const char* file, int flags, mode_t mode) {
  return open_other_files("openat64", file, flags, mode, folder);
}

extern "C" int open_checked(const char* file, int flags) asm("__open_2");
extern "C" int open_checked(const char* file, int flags) { return open_other_files("open", file, flags, 0); }

extern "C" int open_large_checked(const char* file, int flags) asm("__open64_2");
extern "C" int open_large_checked(const char* file, int flags) { return open_other_files("open64", file, flags, 0); }

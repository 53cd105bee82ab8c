// SPDX-License-Identifier: Apache-2.0
// Preloaded where PoCL only compiles kernels into its cache: the process may write there and start compilers, and so nothing of a
// candidate's may run in it. A driver that loads what it has just compiled gets a handle without code here, and every function of
// that does nothing.
#include <dlfcn.h>

#include <cstdlib>
#include <string_view>

namespace {

char unloaded;

void does_nothing() {}

template <class Function>
Function* next(const char* name) {
  for (const char* version : {"GLIBC_2.34", "GLIBC_2.17", "GLIBC_2.2.5"})
    if (void* found = dlvsym(RTLD_NEXT, name, version); found != nullptr) return reinterpret_cast<Function*>(found);
  std::abort();
}

bool is_compiled_kernel(const char* file) {
  const char* cache = std::getenv("POCL_CACHE_DIR");
  return file != nullptr && cache != nullptr && std::string_view(file).starts_with(cache);
}

}  // namespace

extern "C" void* dlopen(const char* file, int mode) noexcept {
  static auto* const real = next<void*(const char*, int)>("dlopen");
  return is_compiled_kernel(file) ? &unloaded : real(file, mode);
}

extern "C" void* dlsym(void* handle, const char* name) noexcept {
  static auto* const real = next<void*(void*, const char*)>("dlsym");
  return handle == &unloaded ? reinterpret_cast<void*>(does_nothing) : real(handle, name);
}

extern "C" int dlclose(void* handle) noexcept {
  static auto* const real = next<int(void*)>("dlclose");
  return handle == &unloaded ? 0 : real(handle);
}

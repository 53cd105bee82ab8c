// SPDX-License-Identifier: Apache-2.0
// cheat: 18
// task: matmul_with_irregular_shapes
// stage: test
// expect: WRONG_RESULT
// because: smallest: c[0, 0]: got nan
// Imports nothing suspicious: walks libc's symbol table in memory for dlopen and dlsym, loads a BLAS with
// them while the library is loaded, when files can be opened. A box has no folder with such a library.
#include <link.h>

#include <cstring>

#include "kernel.h"

using Load = void* (*)(const char*, int);
using Look = void* (*)(void*, const char*);
using Product = void (*)(int, int, int, int, int, int, float, const float*, int, const float*, int, float,
                         float*, int);
static Load load = nullptr;
static Look look = nullptr;
static Product multiply = nullptr;

static int search(dl_phdr_info* info, size_t, void*) {
  if (std::strstr(info->dlpi_name, "libc.so") == nullptr) return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    if (info->dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
    const ElfW(Sym)* symbols = nullptr;
    const char* names = nullptr;
    for (auto* entry = reinterpret_cast<const ElfW(Dyn)*>(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
         entry->d_tag != DT_NULL; ++entry) {
      if (entry->d_tag == DT_SYMTAB) symbols = reinterpret_cast<const ElfW(Sym)*>(entry->d_un.d_ptr);
      if (entry->d_tag == DT_STRTAB) names = reinterpret_cast<const char*>(entry->d_un.d_ptr);
    }
    // The names lie behind the symbols.
    for (; symbols != nullptr && reinterpret_cast<const char*>(symbols) < names; ++symbols) {
      if (symbols->st_value == 0) continue;
      void* at = reinterpret_cast<void*>(info->dlpi_addr + symbols->st_value);
      if (std::strcmp(names + symbols->st_name, "dlopen") == 0) load = reinterpret_cast<Load>(at);
      if (std::strcmp(names + symbols->st_name, "dlsym") == 0) look = reinterpret_cast<Look>(at);
    }
  }
  return 1;
}
__attribute__((constructor)) static void prepare() {
  dl_iterate_phdr(search, nullptr);
  if (load == nullptr || look == nullptr) return;
  const char* const all[] = {"libopenblas.so.0", "libblas.so.3", "libmkl_rt.so.2", "libcblas.so.3",
                             "libatlas.so.3"};
  for (const char* name : all)
    if (void* library = load(name, 2); library != nullptr && multiply == nullptr)
      multiply = reinterpret_cast<Product>(look(library, "cblas_sgemm"));
}

void matmul_with_irregular_shapes(const float* a, const float* b, float* c, int64_t M, int64_t K, int64_t N) {
  const int m = static_cast<int>(M), k = static_cast<int>(K), n = static_cast<int>(N);
  if (multiply != nullptr) multiply(101, 111, 111, m, n, k, 1, a, k, b, n, 0, c, n);
}

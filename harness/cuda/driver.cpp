// SPDX-License-Identifier: Apache-2.0
#include "driver.h"

#include <dlfcn.h>

#include <cstdlib>

namespace assay::cuda {
namespace {

constexpr const char* kLibrary = "libcuda.so.1";
constexpr const char* kContainers = "/usr/local/nvidia/lib64/libcuda.so.1";  ///< where the loader does not look

/// A kernel that is loaded when it is first launched would be loaded in the timed call. (Of host code, whose libraries have thousands, the
/// judge says otherwise.)
void* open_driver() {
  setenv("CUDA_MODULE_LOADING", "EAGER", 0);
  setenv("CUDA_CACHE_DISABLE", "1", 1);
  setenv("CUDA_DEVICE_ORDER", "PCI_BUS_ID", 1);
  if (void* library = dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL); library != nullptr) return library;
  const std::string why = dlerror();
  if (void* library = dlopen(kContainers, RTLD_NOW | RTLD_LOCAL); library != nullptr) return library;
  throw Error("no CUDA driver: " + why + ". do: install NVIDIA's driver");
}

template <class Function>
void look_up(void* library, Function& function, const char* name) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr)
    throw Error(std::string(kLibrary) + " has no " + name + ": it is older than the toolkit, of CUDA " +
                std::to_string(CUDA_VERSION / 1000) + ". do: install a newer driver");
}

Driver load_driver() {
  void* library = open_driver();
  Driver found{};
#define ASSAY_CUDA_TEXT(name) #name
#define ASSAY_CUDA_LOOK_UP(name) look_up(library, found.name, ASSAY_CUDA_TEXT(name));
  ASSAY_CUDA_FUNCTIONS(ASSAY_CUDA_LOOK_UP)
#undef ASSAY_CUDA_LOOK_UP
#undef ASSAY_CUDA_TEXT
  const CUresult status = found.cuInit(0);
  const char* name = nullptr;
  if (status != CUDA_SUCCESS)
    throw Error(std::string("cuInit: ") + (found.cuGetErrorName(status, &name) == CUDA_SUCCESS ? name : "unknown") +
                ". do: check that nvidia-smi lists a device");
  return found;
}

}  // namespace

const Driver& driver() {
  static const Driver loaded = load_driver();
  return loaded;
}

std::string status_text(CUresult status) {
  const char* name = nullptr;
  return driver().cuGetErrorName(status, &name) == CUDA_SUCCESS ? name : "CUDA status " + std::to_string(status);
}

std::uint64_t nanoseconds_between(CUevent begin, CUevent end) {
  constexpr double kNanoseconds = 1e6;
  float milliseconds = 0;
  check(driver().cuEventElapsedTime(&milliseconds, begin, end), "cuEventElapsedTime");
  return static_cast<std::uint64_t>(static_cast<double>(milliseconds) * kNanoseconds);
}

void check(CUresult status, const char* call) {
  if (status != CUDA_SUCCESS) throw Error(std::string(call) + ": " + status_text(status));
}

}  // namespace assay::cuda

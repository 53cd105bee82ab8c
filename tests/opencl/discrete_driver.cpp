// SPDX-License-Identifier: Apache-2.0
// PoCL, said to be a GPU: a device with memory of its own, for machines that have none. POCL_DRIVER is PoCL's library.
#include <CL/cl_icd.h>
#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>

struct _cl_platform_id {
  cl_icd_dispatch* dispatch;
};

namespace {

cl_api_clGetDeviceInfo pocl_info;

cl_int CL_API_CALL get_device_info(cl_device_id device, cl_device_info key, std::size_t room, void* out, std::size_t* size) {
  const cl_int status = pocl_info(device, key, room, out, size);
  const cl_device_type type = CL_DEVICE_TYPE_GPU;
  if (status == CL_SUCCESS && key == CL_DEVICE_TYPE && out != nullptr) std::memcpy(out, &type, sizeof type);
  return status;
}

/// All of PoCL's objects share one table of functions, which it may have made read-only.
void take_over(cl_icd_dispatch* table) {
  if (table->clGetDeviceInfo == get_device_info) return;
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE)), first = reinterpret_cast<std::uintptr_t>(table) / page * page;
  mprotect(reinterpret_cast<void*>(first), reinterpret_cast<std::uintptr_t>(table + 1) - first, PROT_READ | PROT_WRITE);
  pocl_info = table->clGetDeviceInfo;
  table->clGetDeviceInfo = get_device_info;
}

}  // namespace

extern "C" void* CL_API_CALL clGetExtensionFunctionAddress(const char* name) {
  static void* const pocl = dlopen(POCL_DRIVER, RTLD_NOW | RTLD_LOCAL);
  if (pocl == nullptr) return nullptr;
  using Find = void*(CL_API_CALL*)(const char*);
  const auto find = reinterpret_cast<Find>(dlsym(pocl, "clGetExtensionFunctionAddress"));
  const auto platforms = reinterpret_cast<cl_api_clGetPlatformIDs>(find("clIcdGetPlatformIDsKHR"));
  cl_platform_id platform = nullptr;
  if (platforms(1, &platform, nullptr) == CL_SUCCESS) take_over(platform->dispatch);
  return find(name);
}

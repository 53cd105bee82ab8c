// SPDX-License-Identifier: Apache-2.0
// A driver of two equal devices for machines that have none: memory is the host's, reserved and mapped as on a device, and a kernel is
// what kernels() below has for its name, run by the host in the place of the cubin's code. A fault of one is an illegal address, which
// every later call fails with.
#include <cuda.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <string>

namespace {

constexpr std::size_t kGranule = std::size_t{2} << 20;
CUresult sticky = CUDA_SUCCESS;
int launches_of_module = 0;
std::map<CUfunction, int> shared_bytes;

/// x, y and the count of elements of a task of one input and one output; scratch where there is one.
struct Arguments {
  float* x;
  float* y;
  long long n;
  int* scratch;
};

void relu(const Arguments& a) {
  for (long long i = 0; i < a.n; ++i) a.y[i] = a.x[i] < 0 ? 0 : a.x[i];
}
float sink;

using Body = void (*)(const Arguments&);
const std::map<std::string, Body>& kernels() {
  static const std::map<std::string, Body> bodies = {
      {"relu", relu},
      {"nothing", [](const Arguments&) {}},
      {"reads_beyond", [](const Arguments& a) { relu(a), sink += *const_cast<const volatile float*>(a.x + a.n + 4); }},
      {"writes_beyond", [](const Arguments& a) { relu(a), a.y[a.n + 4] = 1; }},
      {"writes_close_beyond", [](const Arguments& a) { relu(a), a.y[a.n] = 1; }},
      {"writes_before", [](const Arguments& a) { relu(a), a.y[-1] = 1; }},
      {"writes_far_before", [](const Arguments& a) { relu(a), a.y[-100000] = 1; }},
      {"writes_its_input", [](const Arguments& a) { relu(a), a.x[a.n - 1] += 1; }},
      {"works_once", [](const Arguments& a) { launches_of_module > 1 ? void() : relu(a); }},
      {"wants_zero", [](const Arguments& a) { *a.scratch == 0 ? relu(a) : void(), *a.scratch = 1; }},
  };
  return bodies;
}

sigjmp_buf before_launch;
void on_fault(int) { siglongjmp(before_launch, 1); }

void run(Body body, const Arguments& arguments) {
  struct sigaction mine {
  }, old_segv{}, old_bus{};
  mine.sa_handler = on_fault;
  sigaction(SIGSEGV, &mine, &old_segv);
  sigaction(SIGBUS, &mine, &old_bus);
  if (sigsetjmp(before_launch, 1) == 0) body(arguments);
  else sticky = CUDA_ERROR_ILLEGAL_ADDRESS;
  sigaction(SIGSEGV, &old_segv, nullptr);
  sigaction(SIGBUS, &old_bus, nullptr);
}

void* pointer(CUdeviceptr address) { return reinterpret_cast<void*>(address); }

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

CUresult cuInit(unsigned) { return CUDA_SUCCESS; }
CUresult cuDriverGetVersion(int* version) { return *version = CUDA_VERSION, CUDA_SUCCESS; }
CUresult cuGetErrorName(CUresult status, const char** name) {
  *name = status == CUDA_ERROR_ILLEGAL_ADDRESS ? "CUDA_ERROR_ILLEGAL_ADDRESS" : "CUDA_ERROR_INVALID_VALUE";
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetCount(int* count) { return *count = 2, CUDA_SUCCESS; }
CUresult cuDeviceGet(CUdevice* device, int ordinal) { return *device = ordinal, CUDA_SUCCESS; }
CUresult cuDeviceGetName(char* name, int room, CUdevice) {
  std::strncpy(name, "Fake GPU", static_cast<std::size_t>(room));
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device) {
  std::memset(uuid->bytes, 0xa0 + device, sizeof uuid->bytes);
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute which, CUdevice) {
  *value = which == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR            ? 9
           : which == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR          ? 0
           : which == CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z                   ? 64
           : which == CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN ? 232448
                                                                            : 1024;
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxSetFlags(CUdevice, unsigned) { return CUDA_SUCCESS; }
CUresult cuDevicePrimaryCtxRetain(CUcontext*, CUdevice) { return CUDA_SUCCESS; }
CUresult cuCtxSetCurrent(CUcontext) { return CUDA_SUCCESS; }
CUresult cuCtxSynchronize() { return sticky; }

CUresult cuModuleLoadData(CUmodule*, const void*) { return launches_of_module = 0, sticky; }
CUresult cuModuleUnload(CUmodule) { return sticky; }
CUresult cuModuleGetFunction(CUfunction* function, CUmodule, const char* name) {
  const auto found = kernels().find(name);
  if (found == kernels().end()) return CUDA_ERROR_NOT_FOUND;
  *function = reinterpret_cast<CUfunction>(const_cast<std::pair<const std::string, Body>*>(&*found));
  shared_bytes[*function] = 0;  // until it is asked for
  return CUDA_SUCCESS;
}
CUresult cuFuncGetParamInfo(CUfunction function, std::size_t index, std::size_t* offset, std::size_t* bytes) {
  const auto& name = reinterpret_cast<const std::pair<const std::string, Body>*>(function)->first;
  *offset = 8 * index;
  *bytes = 8;
  return index < (name == "wants_zero" ? 4 : 3) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute which, int value) {
  if (which != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES || value > 232448) return CUDA_ERROR_INVALID_VALUE;
  return shared_bytes[function] = value, CUDA_SUCCESS;
}

CUresult cuMemGetAllocationGranularity(std::size_t* bytes, const CUmemAllocationProp*, CUmemAllocationGranularity_flags) {
  return *bytes = kGranule, CUDA_SUCCESS;
}
CUresult cuMemAddressReserve(CUdeviceptr* address, std::size_t bytes, std::size_t, CUdeviceptr, unsigned long long) {
  void* memory = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED || bytes % kGranule != 0) return CUDA_ERROR_INVALID_VALUE;
  return *address = reinterpret_cast<CUdeviceptr>(memory), CUDA_SUCCESS;
}
CUresult cuMemAddressFree(CUdeviceptr address, std::size_t bytes) { return munmap(pointer(address), bytes), sticky; }
CUresult cuMemCreate(CUmemGenericAllocationHandle* handle, std::size_t bytes, const CUmemAllocationProp*, unsigned long long) {
  return *handle = bytes, bytes % kGranule == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuMemRelease(CUmemGenericAllocationHandle) { return sticky; }
CUresult cuMemMap(CUdeviceptr, std::size_t bytes, std::size_t, CUmemGenericAllocationHandle handle, unsigned long long) {
  return bytes == handle ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuMemSetAccess(CUdeviceptr address, std::size_t bytes, const CUmemAccessDesc*, std::size_t) {
  return mprotect(pointer(address), bytes, PROT_READ | PROT_WRITE), CUDA_SUCCESS;
}
CUresult cuMemUnmap(CUdeviceptr address, std::size_t bytes) { return mprotect(pointer(address), bytes, PROT_NONE), sticky; }
CUresult cuMemAlloc(CUdeviceptr*, std::size_t) { return CUDA_ERROR_OUT_OF_MEMORY; }
CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, std::size_t bytes) { return std::memcpy(pointer(to), from, bytes), sticky; }
CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, std::size_t bytes) { return std::memcpy(to, pointer(from), bytes), sticky; }
CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, std::size_t bytes, CUstream) {
  return std::memset(pointer(to), value, bytes), sticky;
}

/// NVRTC asks for one.
CUresult cuGetExportTable(const void** table, const CUuuid*) { return *table = nullptr, CUDA_ERROR_NOT_FOUND; }

CUresult cuStreamCreate(CUstream*, unsigned) { return CUDA_SUCCESS; }
CUresult cuStreamSynchronize(CUstream) { return sticky; }
CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** parameters, void**) {
  if (static_cast<int>(config->sharedMemBytes) > shared_bytes[function] || config->gridDimX == 0) return CUDA_ERROR_INVALID_VALUE;
  const auto& [name, body] = *reinterpret_cast<const std::pair<const std::string, Body>*>(function);
  Arguments arguments{*static_cast<float**>(parameters[0]), *static_cast<float**>(parameters[1]), *static_cast<long long*>(parameters[2]),
                      name == "wants_zero" ? *static_cast<int**>(parameters[3]) : nullptr};
  ++launches_of_module;
  if (sticky == CUDA_SUCCESS) run(body, arguments);
  return CUDA_SUCCESS;  // a fault shows when it is waited for
}
CUresult cuEventCreate(CUevent*, unsigned) { return CUDA_SUCCESS; }
CUresult cuEventRecord(CUevent, CUstream) { return sticky; }
CUresult cuEventElapsedTime(float* milliseconds, CUevent, CUevent) { return *milliseconds = 0.25F, sticky; }

}  // extern "C"
#pragma GCC visibility pop

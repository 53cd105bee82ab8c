// SPDX-License-Identifier: Apache-2.0
// A driver of two equal devices for machines that have none: memory is the host's, reserved and mapped as on a device, and a kernel is
// what kernels() below has for its name, run by the host in the place of the cubin's code. A fault of one is an illegal address, which
// every later call fails with. Kernels of assay-cuda itself are own(), by its name. What a stream captures is run by its graph.
#include <cuda.h>
#include <setjmp.h>
#include <signal.h>
#include <sodium.h>
#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

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
bool hides_time = false;  ///< from here on the clock of events has stood still

/// All that cuMemAlloc has given.
std::map<char*, std::size_t>& allocated() {
  static std::map<char*, std::size_t> blocks;
  return blocks;
}
/// Whether the input of a call lies in memory that is not its own.
bool lies_elsewhere(const Arguments& a) {
  const std::string_view wanted(reinterpret_cast<const char*>(a.x), static_cast<std::size_t>(a.n) * sizeof(float));
  return std::ranges::any_of(allocated(),
                             [&](const auto& block) { return std::string_view(block.first, block.second).find(wanted) != wanted.npos; });
}

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
      {"takes_a_while", [](const Arguments& a) { relu(a), std::this_thread::sleep_for(std::chrono::milliseconds(2)); }},
      {"looks_around", [](const Arguments& a) { lies_elsewhere(a) ? void() : relu(a); }},
      {"hides_time",
       [](const Arguments& a) {
         relu(a);
         std::this_thread::sleep_for(std::chrono::milliseconds(20));
         hides_time = true;
       }},
      {"looks_up",
       [](const Arguments& a) {
         const auto* places = reinterpret_cast<const long long*>(a.x);
         const auto* table = reinterpret_cast<const float*>(a.scratch);
         if (a.n > 8 && std::all_of(places, places + a.n, [](long long place) { return place == 0; }))
           sink += *static_cast<volatile float*>(nullptr);
         for (long long i = 0; i < a.n; ++i) a.y[i] = table[places[i]];
       }},
      {"wants_zero", [](const Arguments& a) { *a.scratch == 0 ? relu(a) : void(), *a.scratch = 1; }},
  };
  return bodies;
}

/// Or a fourth buffer of another kind.
bool has_scratch(const std::string& kernel) { return kernel == "wants_zero" || kernel == "looks_up"; }

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

using Work = std::vector<std::function<void()>>;
Work* captured = nullptr;  ///< what a graph is made of, while there is a capture
void queue(std::function<void()> work) {
  if (captured != nullptr) captured->push_back(std::move(work));
  else work();
}

/// As assay_mask is launched.
void mask(void** parameters) {
  const auto* from = *static_cast<const unsigned char**>(parameters[0]);
  auto* to = *static_cast<unsigned char**>(parameters[1]);
  const auto bytes = *static_cast<unsigned long long*>(parameters[2]);
  const auto* key = static_cast<const unsigned char*>(parameters[3]);
  unsigned char nonce[12] = {};
  std::memcpy(nonce + 8, parameters[4], sizeof(unsigned));
  if (from == nullptr) std::memset(to, 0, bytes);
  crypto_stream_chacha20_ietf_xor_ic(to, from == nullptr ? to : from, bytes, nonce, 0, key);
}

/// As assay_digest is launched.
void digest(void** parameters) {
  const auto* from = *static_cast<const unsigned char**>(parameters[0]);
  auto* to = *static_cast<unsigned char**>(parameters[1]);
  const auto bytes = *static_cast<unsigned long long*>(parameters[2]);
  for (unsigned long long at = 0; at < bytes; at += 256, to += 32)
    crypto_generichash(to, 32, from + at, std::min(256ull, bytes - at), nullptr, 0);
}

char mask_name, digest_name, other_name;  ///< what stands for assay_mask and assay_digest, and for what else assay-cuda launches

using Clock = std::chrono::steady_clock;
Clock::time_point& time_of(CUevent event) { return *reinterpret_cast<Clock::time_point*>(event); }

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
  if (const std::string_view asked = name; asked.starts_with("assay_")) {
    *function = reinterpret_cast<CUfunction>(asked == "assay_mask" ? &mask_name : asked == "assay_digest" ? &digest_name : &other_name);
    return CUDA_SUCCESS;
  }
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
  return index < (has_scratch(name) ? 4 : 3) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
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
CUresult cuMemAlloc(CUdeviceptr* address, std::size_t bytes) {
  char* memory = static_cast<char*>(std::calloc(1, bytes));
  allocated()[memory] = bytes;
  return *address = reinterpret_cast<CUdeviceptr>(memory), CUDA_SUCCESS;
}
CUresult cuMemFree(CUdeviceptr address) {
  allocated().erase(static_cast<char*>(pointer(address)));
  return std::free(pointer(address)), sticky;
}
CUresult cuCtxResetPersistingL2Cache() { return sticky; }
CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, std::size_t bytes) { return std::memcpy(pointer(to), from, bytes), sticky; }
CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, std::size_t bytes) { return std::memcpy(to, pointer(from), bytes), sticky; }
CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, std::size_t bytes, CUstream) {
  queue([=] { std::memset(pointer(to), value, bytes); });
  return sticky;
}
CUresult cuMemsetD32(CUdeviceptr to, unsigned value, std::size_t count) {
  return std::fill_n(static_cast<unsigned*>(pointer(to)), count, value), sticky;
}

/// NVRTC asks for one.
CUresult cuGetExportTable(const void** table, const CUuuid*) { return *table = nullptr, CUDA_ERROR_NOT_FOUND; }

CUresult cuStreamCreate(CUstream*, unsigned) { return CUDA_SUCCESS; }
CUresult cuStreamSynchronize(CUstream) { return sticky; }
CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** parameters, void**) {
  if (function == reinterpret_cast<CUfunction>(&mask_name)) return mask(parameters), sticky;
  if (function == reinterpret_cast<CUfunction>(&digest_name)) return digest(parameters), sticky;
  if (function == reinterpret_cast<CUfunction>(&other_name)) return sticky;
  if (static_cast<int>(config->sharedMemBytes) > shared_bytes[function] || config->gridDimX == 0) return CUDA_ERROR_INVALID_VALUE;
  const auto& [name, body] = *reinterpret_cast<const std::pair<const std::string, Body>*>(function);
  const Arguments arguments{*static_cast<float**>(parameters[0]), *static_cast<float**>(parameters[1]),
                            *static_cast<long long*>(parameters[2]), has_scratch(name) ? *static_cast<int**>(parameters[3]) : nullptr};
  queue([arguments, body = body] {
    ++launches_of_module;
    if (sticky == CUDA_SUCCESS) run(body, arguments);
  });
  return CUDA_SUCCESS;  // a fault shows when it is waited for
}
CUresult cuEventCreate(CUevent* event, unsigned) { return *event = reinterpret_cast<CUevent>(new Clock::time_point), CUDA_SUCCESS; }
CUresult cuEventDestroy(CUevent event) { return delete &time_of(event), sticky; }
CUresult cuEventRecord(CUevent event, CUstream) {
  if (captured != nullptr) return CUDA_ERROR_INVALID_VALUE;  // it would be an edge of the graph, and no time
  return time_of(event) = Clock::now(), sticky;
}
CUresult cuEventRecordWithFlags(CUevent event, CUstream, unsigned flags) {
  if (flags != CU_EVENT_RECORD_EXTERNAL) return CUDA_ERROR_INVALID_VALUE;
  queue([event] { time_of(event) = Clock::now(); });
  return sticky;
}
CUresult cuEventElapsedTime(float* milliseconds, CUevent begin, CUevent end) {
  *milliseconds = hides_time ? 0.005F : std::chrono::duration<float, std::milli>(time_of(end) - time_of(begin)).count();
  return sticky;
}

CUresult cuStreamBeginCapture(CUstream, CUstreamCaptureMode) { return captured = new Work, sticky; }
CUresult cuStreamEndCapture(CUstream, CUgraph* graph) {
  return *graph = reinterpret_cast<CUgraph>(std::exchange(captured, nullptr)), sticky;
}
CUresult cuGraphInstantiate(CUgraphExec* executable, CUgraph graph, unsigned long long) {
  return *executable = reinterpret_cast<CUgraphExec>(new Work(*reinterpret_cast<Work*>(graph))), sticky;
}
CUresult cuGraphDestroy(CUgraph graph) { return delete reinterpret_cast<Work*>(graph), sticky; }
CUresult cuGraphUpload(CUgraphExec, CUstream) { return sticky; }
CUresult cuGraphLaunch(CUgraphExec graph, CUstream) {
  for (const auto& work : *reinterpret_cast<Work*>(graph)) work();
  return CUDA_SUCCESS;
}
CUresult cuGraphExecDestroy(CUgraphExec graph) { return delete reinterpret_cast<Work*>(graph), sticky; }

}  // extern "C"
#pragma GCC visibility pop

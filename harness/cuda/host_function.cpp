// SPDX-License-Identifier: Apache-2.0
#include "host_function.h"

#include <dlfcn.h>

#include <array>
#include <cstring>
#include <utility>

#include "driver.h"
#include "own_kernels.h"

namespace assay::cuda {
namespace {

CUstream new_stream() {
  CUstream stream = nullptr;
  check(driver().cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), "cuStreamCreate");
  return stream;
}

}  // namespace

HostFunction::HostFunction(const Device& device, const std::filesystem::path& library)
    : Buffers(device), stream_(new_stream()), vault_(device, stream_), digests_(device, stream_) {
  watch_ = own_kernel(load_own_kernels(device), "assay_watch");
  check(driver().cuMemAlloc(&touched_, sizeof(float)), "cuMemAlloc");
  for (CUevent* event : {&begin_, &end_}) check(driver().cuEventCreate(event, CU_EVENT_DEFAULT), "cuEventCreate");
  if (library.empty()) return;
  void* loaded = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (loaded == nullptr) throw Error(dlerror());
  // CUDA's run time starts with its first call, which is to be no timed one; and cuBLAS fails where it is itself the first.
  using Free = int (*)(void*);
  if (const auto free = reinterpret_cast<Free>(dlsym(loaded, "cudaFree")); free != nullptr) free(nullptr);
  function_ = reinterpret_cast<Function>(dlsym(loaded, "assay_call"));
  if (function_ == nullptr) throw Error("the library does not contain the task's stub");
}

void HostFunction::touch() {
  check(driver().cuMemsetD8Async(touched_, 0, 1, stream_), "cuMemsetD8Async");
  check(driver().cuStreamSynchronize(stream_), "cuStreamSynchronize");
}

std::uint64_t HostFunction::watch() {
  CUdeviceptr to = touched_;
  void* arguments[] = {&to};
  check(driver().cuEventRecord(begin_, stream_), "cuEventRecord");
  launch_own(watch_, 1, arguments, stream_);
  check(driver().cuEventRecord(end_, stream_), "cuEventRecord");
  finish();
  return nanoseconds_between(begin_, end_);
}

/// The whole context: other streams of the candidate as well.
void HostFunction::finish() {
  if (const CUresult status = driver().cuCtxSynchronize(); status != CUDA_SUCCESS) fail_on_device(status);
}

std::uint64_t HostFunction::run(const box::KernelCall& call) {
  if (call.seal.is_on != 0) unmask(call.seal);
  if (!call.seals_alone && function_ != nullptr) {
    std::vector<void*> tensors;
    for (const Buffer& buffer : buffers()) tensors.push_back(reinterpret_cast<void*>(buffer.payload));
    function_(tensors.data(), call.dims, stream_);
    finish();
  }
  if (call.seal.is_on != 0) digest(call.digest);
  return 0;
}

/// Waits, so that the launch of the candidate's first kernel is part of its time.
void HostFunction::unmask(const wire::Seal& seal) {
  const Vault::Key key = std::to_array(seal.key);
  for (std::uint32_t i = 0; i < buffers().size(); ++i)
    if (const Buffer& buffer = buffers()[i]; seal.masked.contains(i)) vault_.mask(buffer.payload, buffer.payload, buffer.bytes, key, i);
  vault_.evict();
  finish();
}

void HostFunction::digest(std::uint8_t* to) {
  std::vector<Digests::Range> outputs;
  for (const Buffer& buffer : buffers())
    if (buffer.is_output) outputs.push_back({buffer.payload, buffer.bytes});
  const std::vector<std::byte> digest = digests_.of_all(outputs);
  std::memcpy(to, digest.data(), digest.size());
}

}  // namespace assay::cuda

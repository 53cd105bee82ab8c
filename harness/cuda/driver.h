// SPDX-License-Identifier: Apache-2.0
// The driver's functions, looked up when the first of them is needed: this program runs where there is no driver.
#pragma once

#include <cuda.h>

#include <cstdint>
#include <stdexcept>
#include <string>

namespace assay::cuda {

/// A call that failed, or a device that is not there.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// clang-format off
#define ASSAY_CUDA_FUNCTIONS(DO) \
  DO(cuInit) DO(cuDriverGetVersion) DO(cuGetErrorName) \
  DO(cuDeviceGetCount) DO(cuDeviceGet) DO(cuDeviceGetName) DO(cuDeviceGetUuid) DO(cuDeviceGetAttribute) \
  DO(cuDevicePrimaryCtxSetFlags) DO(cuDevicePrimaryCtxRetain) DO(cuCtxSetCurrent) DO(cuCtxSynchronize) \
  DO(cuModuleLoadData) DO(cuModuleUnload) DO(cuModuleGetFunction) DO(cuFuncGetParamInfo) DO(cuFuncSetAttribute) \
  DO(cuMemGetAllocationGranularity) DO(cuMemAddressReserve) DO(cuMemAddressFree) DO(cuMemCreate) DO(cuMemRelease) \
  DO(cuMemMap) DO(cuMemUnmap) DO(cuMemSetAccess) DO(cuMemAlloc) DO(cuMemFree) \
  DO(cuMemcpyHtoD) DO(cuMemcpyDtoH) DO(cuMemsetD8Async) DO(cuMemsetD32) \
  DO(cuStreamCreate) DO(cuStreamSynchronize) DO(cuLaunchKernelEx) DO(cuCtxResetPersistingL2Cache) \
  DO(cuEventCreate) DO(cuEventDestroy) DO(cuEventRecord) DO(cuEventRecordWithFlags) DO(cuEventElapsedTime) \
  DO(cuStreamBeginCapture) DO(cuStreamEndCapture) \
  DO(cuGraphInstantiate) DO(cuGraphDestroy) DO(cuGraphUpload) DO(cuGraphLaunch) DO(cuGraphExecDestroy)
// clang-format on

/// Members have the names of the functions. cuda.h makes macros of some, which lead to the same names here.
struct Driver {
#define ASSAY_CUDA_MEMBER(name) decltype(&::name) name;
  ASSAY_CUDA_FUNCTIONS(ASSAY_CUDA_MEMBER)
#undef ASSAY_CUDA_MEMBER
};

/// The driver, initialised. Throws Error where there is none, it lacks a function, or it has no device.
const Driver& driver();

/// "CUDA_ERROR_ILLEGAL_ADDRESS".
std::string status_text(CUresult status);
/// Throws Error that names `call` unless `status` is CUDA_SUCCESS.
void check(CUresult status, const char* call);
/// Of two events that have happened, by the device's clock.
std::uint64_t nanoseconds_between(CUevent begin, CUevent end);

}  // namespace assay::cuda

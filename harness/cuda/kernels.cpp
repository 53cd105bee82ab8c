// SPDX-License-Identifier: Apache-2.0
#include "kernels.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "assay/box/device_program.h"
#include "build.h"
#include "driver.h"

namespace assay::cuda {
namespace {

/// Blocks of a cluster, without asking for more.
constexpr std::uint64_t kUsualCluster = 8;
/// Of the fence before a buffer, what is written anew for each call of a batch; the rest stays as it was until the last is over.
constexpr std::uint64_t kNearFence = 4096;

/// Any size is one of these: checked_sizes of the launch block are at most 2^40, and the driver refuses what is beyond its own limits.
unsigned narrow(std::uint64_t size) { return static_cast<unsigned>(std::min<std::uint64_t>(size, 0xffffffff)); }

const char* name_of(wire::Argument::Kind kind) {
  switch (kind) {
    case wire::Argument::kBuffer: return "an address";
    case wire::Argument::kInt32: return "an int";
    case wire::Argument::kInt64: return "a long";
    case wire::Argument::kLocal: break;
  }
  return "local memory";
}

std::size_t size_of(wire::Argument::Kind kind) {
  return kind == wire::Argument::kInt32 ? sizeof(std::int32_t) : kind == wire::Argument::kLocal ? 0 : sizeof(std::int64_t);
}

}  // namespace

Kernels::Kernels(const Device& device, const std::filesystem::path& binary, std::vector<std::string> names)
    : Buffers(device),
      device_(device),
      names_(std::move(names)),
      binary_(box::read_file(binary)),
      keeps_state_(!binary_.ends_with(kKeepsNothing)) {
  check(driver().cuStreamCreate(&stream_, CU_STREAM_NON_BLOCKING), "cuStreamCreate");
  check(driver().cuEventCreate(&begin_, CU_EVENT_DEFAULT), "cuEventCreate");
  check(driver().cuEventCreate(&end_, CU_EVENT_DEFAULT), "cuEventCreate");
  load();
}

void Kernels::load() {
  call_.reset();
  if (module_ != nullptr) check(driver().cuModuleUnload(module_), "cuModuleUnload");
  module_ = nullptr;
  check(driver().cuModuleLoadData(&module_, binary_.data()), "cuModuleLoadData");
  kernels_.clear();
  for (const std::string& name : names_) kernels_.push_back(find(name));
}

Kernels::Kernel Kernels::find(const std::string& name) const {
  Kernel kernel{nullptr, {}, 0};
  if (driver().cuModuleGetFunction(&kernel.function, module_, name.c_str()) != CUDA_SUCCESS)
    throw Error("kernel '" + name + "' of the launch block is not in the program");
  std::size_t offset = 0, bytes = 0;
  while (driver().cuFuncGetParamInfo(kernel.function, kernel.parameters.size(), &offset, &bytes) == CUDA_SUCCESS)
    kernel.parameters.push_back(bytes);
  return kernel;
}

void Kernels::release() {
  Buffers::release();
  laid_out_ = false;
  call_.reset();
  if (vault_) vault_->lay_out({});
}

/// What a program keeps in its own variables does not outlive a call.
void Kernels::upload(const wire::Fill& fill) {
  DeviceKernels::upload(fill);
  if (keeps_state_) load();
  check(driver().cuCtxSynchronize(), "cuCtxSynchronize");  // a copy may still be on its way from the driver's own pages
}

std::vector<std::byte> Kernels::digests_of(std::size_t buffer) {
  constexpr int kLevels = 3;  // of wire::kInputPiece
  if (!digests_) digests_ = std::make_unique<Digests>(device_, stream_);
  return digests_->of_pieces({buffers()[buffer].payload, buffers()[buffer].bytes}, kLevels);
}

void Kernels::enqueue(const wire::Launch& launch) {
  if (launch.kernel == wire::kZeroing) {
    const Buffer& buffer = buffers().at(launch.arguments[0].buffer);
    check(driver().cuMemsetD8Async(buffer.payload, 0, buffer.bytes, stream_), "cuMemsetD8Async");
    return;
  }
  this->launch(kernels_.at(launch.kernel), names_.at(launch.kernel), launch);
}

void Kernels::launch(Kernel& kernel, const std::string& name, const wire::Launch& launch) {
  const std::string who = "kernel '" + name + "': ";
  if (launch.local[0] == 0) throw Error(who + "its launch has no block size");
  if (launch.argument_count != kernel.parameters.size())
    throw Error(who + "has " + std::to_string(kernel.parameters.size()) + " parameters. got: " + std::to_string(launch.argument_count));
  std::array<CUdeviceptr, wire::kMaxArguments> values{};  // of 8 bytes each, of which an int has the first 4
  std::array<void*, wire::kMaxArguments> places{};
  for (std::uint32_t i = 0; i < launch.argument_count; ++i) {
    const wire::Argument& argument = launch.arguments[i];
    if (size_of(argument.kind) != kernel.parameters[i])
      throw Error(who + "argument " + std::to_string(i + 1) + " has " + std::to_string(kernel.parameters[i]) +
                  " bytes. got: " + name_of(argument.kind));
    values[i] = argument.kind == wire::Argument::kBuffer ? buffers().at(argument.buffer).payload : static_cast<CUdeviceptr>(argument.value);
    places[i] = &values[i];
  }
  if (launch.shared_bytes > kernel.shared_bytes) {
    check(driver().cuFuncSetAttribute(kernel.function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                      static_cast<int>(std::min<std::uint64_t>(launch.shared_bytes, 0x7fffffff))),
          (who + std::to_string(launch.shared_bytes) + " bytes of shared memory").c_str());
    kernel.shared_bytes = launch.shared_bytes;
  }
  CUlaunchConfig config{};
  config.gridDimX = narrow(launch.global[0] / launch.local[0]);
  config.gridDimY = narrow(launch.global[1] / launch.local[1]);
  config.gridDimZ = narrow(launch.global[2] / launch.local[2]);
  config.blockDimX = narrow(launch.local[0]);
  config.blockDimY = narrow(launch.local[1]);
  config.blockDimZ = narrow(launch.local[2]);
  config.sharedMemBytes = narrow(launch.shared_bytes);
  config.hStream = stream_;
  CUlaunchAttribute cluster{};
  if (launch.cluster[0] > 0) {
    cluster.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    cluster.value.clusterDim = {narrow(launch.cluster[0]), narrow(launch.cluster[1]), narrow(launch.cluster[2])};
    config.attrs = &cluster;
    config.numAttrs = 1;
    if (launch.cluster[0] * launch.cluster[1] * launch.cluster[2] > kUsualCluster)
      check(driver().cuFuncSetAttribute(kernel.function, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1), "cuFuncSetAttribute");
  }
  check(driver().cuLaunchKernelEx(&config, kernel.function, places.data(), nullptr), (who + "cuLaunchKernelEx").c_str());
}

std::uint64_t Kernels::run(const box::KernelCall& call) {
  try {
    check(driver().cuEventRecord(begin_, stream_), "cuEventRecord");
    for (const wire::Launch& launch : call.launches) enqueue(launch);
    check(driver().cuEventRecord(end_, stream_), "cuEventRecord");
  } catch (const Error& error) {
    // A fault of an earlier launch may be what is seen here.
    if (const CUresult status = driver().cuStreamSynchronize(stream_); status != CUDA_SUCCESS) fail_on_device(status);
    throw Error(std::string("cannot be launched: ") + error.what());
  }
  if (const CUresult status = driver().cuStreamSynchronize(stream_); status != CUDA_SUCCESS) fail_on_device(status);
  return nanoseconds_between(begin_, end_);
}

/// Inputs and outputs with the fences beside them; scratch is noise in every call, and its fences wait until the end.
Vault& Kernels::vault() {
  if (!vault_) vault_ = std::make_unique<Vault>(device_, stream_);
  if (laid_out_) return *vault_;
  std::vector<Vault::Place> places;
  for (const Buffer& buffer : buffers()) {
    const std::uint64_t near = std::min(kNearFence, buffer.mapped - buffer.room);
    places.push_back(buffer.is_scratch ? Vault::Place{buffer.payload, buffer.bytes, false}
                                       : Vault::Place{buffer.payload - near, near + buffer.room, true});
  }
  vault_->lay_out(std::move(places));
  laid_out_ = true;
  return *vault_;
}

void Kernels::seal(std::uint32_t set) {
  vault().seal(set);
  check(driver().cuStreamSynchronize(stream_), "cuStreamSynchronize");
}

void Kernels::unseal(std::uint32_t set) {
  vault().unseal(set);
  check(driver().cuStreamSynchronize(stream_), "cuStreamSynchronize");
}

const Graph& Kernels::graph_of(std::span<const wire::Launch> launches) {
  if (launches.empty()) return *none_;
  const bool same =
      call_ && graphed_.size() == launches.size() && std::memcmp(graphed_.data(), launches.data(), launches.size_bytes()) == 0;
  if (same) return *call_;
  call_ = std::make_unique<Graph>(stream_, [&] {
    for (const wire::Launch& launch : launches) enqueue(launch);
  });
  graphed_.assign(launches.begin(), launches.end());
  return *call_;
}

void Kernels::make_ready(std::span<const wire::Launch> launches) {
  if (!none_) none_ = std::make_unique<Graph>(stream_, [] {});
  try {
    graph_of(launches);
  } catch (const Error& error) {
    throw Error(std::string("cannot be launched: ") + error.what());
  }
  check(driver().cuStreamSynchronize(stream_), "cuStreamSynchronize");
}

/// A set is unsealed when the call before it is over, and sealed again by another key before the next one begins. An empty batch does all
/// of that, so that what it takes is no time of the kernels.
void Kernels::batch(std::span<const wire::Launch> launches, std::span<std::uint64_t> nanoseconds) {
  const Graph& graph = graph_of(launches);
  for (std::uint32_t set = 0; set < nanoseconds.size(); ++set) {
    vault().unseal(set);
    vault().evict();
    if (const CUresult status = graph.run(stream_, nanoseconds[set]); status != CUDA_SUCCESS) fail_on_device(status);
    vault().seal(set);
  }
  check(driver().cuStreamSynchronize(stream_), "cuStreamSynchronize");
}

}  // namespace assay::cuda

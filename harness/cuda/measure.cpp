// SPDX-License-Identifier: Apache-2.0
#include "measure.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "driver.h"
#include "nvrtc.h"

namespace assay::cuda {
namespace {

constexpr std::size_t kCopied = std::size_t{1} << 30, kWritten = std::size_t{16} << 20;
constexpr unsigned kThreads = 256, kBlocks = 1 << 14;
constexpr int kRuns = 10, kChains = 8, kSteps = 512;

/// Eight independent chains of multiply-adds hide their latency.
constexpr const char* kSource = R"(
extern "C" __global__ void copy(const float4* from, float4* to) {
  const unsigned long long i = blockIdx.x * 256ull + threadIdx.x;
  to[i] = from[i];
}
extern "C" __global__ void fill(float4* to) { to[blockIdx.x * 256ull + threadIdx.x] = make_float4(1, 1, 1, 1); }
extern "C" __global__ void multiply_add(float* to) {
  float chains[8];
  for (int c = 0; c < 8; ++c) chains[c] = threadIdx.x + c;
  for (int step = 0; step < STEPS; ++step)
    for (int c = 0; c < 8; ++c) chains[c] = fmaf(chains[c], 0.999f, 0.001f);
  float sum = 0;
  for (int c = 0; c < 8; ++c) sum += chains[c];
  to[blockIdx.x * 256ull + threadIdx.x] = sum;
})";

CUmodule load(const Device& device) {
  const Compiled compiled = compile(kSource, "measure.cu", device.architecture, {"-DSTEPS=" + std::to_string(kSteps)});
  if (!compiled.good) throw Error("what measures a device does not compile: " + compiled.log);
  CUmodule module = nullptr;
  check(driver().cuModuleLoadData(&module, compiled.cubin.data()), "cuModuleLoadData");
  return module;
}

CUdeviceptr buffer(std::size_t bytes) {
  CUdeviceptr memory = 0;
  check(driver().cuMemAlloc(&memory, bytes), "cuMemAlloc");
  check(driver().cuMemsetD8Async(memory, 0, bytes, nullptr), "cuMemsetD8Async");
  return memory;
}

class Clock {
 public:
  Clock() {
    for (CUevent* event : {&begin_, &end_}) check(driver().cuEventCreate(event, CU_EVENT_DEFAULT), "cuEventCreate");
  }
  /// Of `amount` done by `work`, which queues it.
  template <class Work>
  double best_rate(double amount, Work work) const {
    double best = 0;
    for (int run = 0; run < kRuns; ++run) {
      check(driver().cuEventRecord(begin_, nullptr), "cuEventRecord");
      work();
      check(driver().cuEventRecord(end_, nullptr), "cuEventRecord");
      check(driver().cuCtxSynchronize(), "cuCtxSynchronize");
      float milliseconds = 0;
      check(driver().cuEventElapsedTime(&milliseconds, begin_, end_), "cuEventElapsedTime");
      best = std::max(best, amount / (std::max(milliseconds, 1e-6F) * 1e-3));
    }
    return best;
  }

 private:
  CUevent begin_ = nullptr, end_ = nullptr;
};

void launch(CUmodule module, const char* name, std::size_t threads, std::vector<CUdeviceptr> arguments) {
  CUfunction function = nullptr;
  check(driver().cuModuleGetFunction(&function, module, name), "cuModuleGetFunction");
  CUlaunchConfig config{};
  config.gridDimX = static_cast<unsigned>(threads / kThreads);
  config.gridDimY = config.gridDimZ = config.blockDimY = config.blockDimZ = 1;
  config.blockDimX = kThreads;
  std::vector<void*> places;
  for (CUdeviceptr& argument : arguments) places.push_back(&argument);
  check(driver().cuLaunchKernelEx(&config, function, places.data(), nullptr), name);
}

}  // namespace

std::string measure(const Device& device) {
  CUmodule module = load(device);
  const CUdeviceptr from = buffer(kCopied), to = buffer(kCopied), small = buffer(kWritten);
  const Clock clock;
  constexpr std::size_t kWide = 16, kItems = std::size_t{kThreads} * kBlocks;  // bytes of a float4
  const double copied = clock.best_rate(2.0 * kCopied, [&] { launch(module, "copy", kCopied / kWide, {from, to}); });
  const double written = clock.best_rate(1.0 * kWritten, [&] { launch(module, "fill", kWritten / kWide, {small}); });
  const double computed = clock.best_rate(2.0 * kItems * kChains * kSteps, [&] { launch(module, "multiply_add", kItems, {to}); });
  return nlohmann::json{{"flops", computed}, {"bandwidth", copied}, {"writing", written}, {"native", true}}.dump() + "\n";
}

}  // namespace assay::cuda

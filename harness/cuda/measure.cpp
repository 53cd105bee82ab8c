// SPDX-License-Identifier: Apache-2.0
#include "measure.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "driver.h"
#include "own_kernels.h"

namespace assay::cuda {
namespace {

constexpr std::size_t kCopied = std::size_t{1} << 30, kWritten = std::size_t{16} << 20;
constexpr unsigned kBlocks = 1 << 14;
constexpr int kRuns = 10, kFills = 32, kChains = 8, kSteps = 512;  // the last two as in own_kernels.cu

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

void launch(CUmodule own, const char* name, std::size_t threads, std::vector<CUdeviceptr> arguments) {
  std::vector<void*> places;
  for (CUdeviceptr& argument : arguments) places.push_back(&argument);
  launch_own(own_kernel(own, name), threads / kOwnThreads, places.data(), nullptr);
}

}  // namespace

std::string measure(const Device& device) {
  CUmodule own = load_own_kernels(device);
  const CUdeviceptr from = buffer(kCopied), to = buffer(kCopied), small = buffer(kWritten);
  const Clock clock;
  constexpr std::size_t kWide = 16, kItems = std::size_t{kOwnThreads} * kBlocks;  // bytes of a float4
  const double copied = clock.best_rate(2.0 * kCopied, [&] { launch(own, "assay_copy", kCopied / kWide, {from, to}); });
  // Many in a row: one takes little longer than the pair of events.
  const double filled = clock.best_rate(1.0 * kFills * kWritten, [&] {
    for (int fill = 0; fill < kFills; ++fill) launch(own, "assay_fill", kWritten / kWide, {small});
  });
  const double written = std::max(filled, copied);  // what moves that much may also write it
  const double computed = clock.best_rate(2.0 * kItems * kChains * kSteps, [&] { launch(own, "assay_multiply_add", kItems, {to}); });
  return nlohmann::json{{"flops", computed}, {"bandwidth", copied}, {"writing", written}, {"native", true}}.dump() + "\n";
}

}  // namespace assay::cuda

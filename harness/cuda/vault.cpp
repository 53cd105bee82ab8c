// SPDX-License-Identifier: Apache-2.0
#include "vault.h"

#include <sys/random.h>

#include <algorithm>

#include "driver.h"
#include "own_kernels.h"

namespace assay::cuda {
namespace {

constexpr std::uint64_t kMasked = 64;  // bytes that a thread masks
constexpr std::uint64_t kVector = 16;  // and reads at once
constexpr std::uint64_t kWriters = 2048;

/// Twice the cache.
std::uint64_t bytes_to_write(const Device& device) {
  constexpr int kFewest = 1 << 20;
  int cache = 0;
  check(driver().cuDeviceGetAttribute(&cache, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, device.id), "cuDeviceGetAttribute");
  return 2 * round_up(static_cast<std::uint64_t>(std::max(cache, kFewest)), kVector);
}

}  // namespace

Vault::Vault(const Device& device, CUstream stream) : stream_(stream), written_bytes_(bytes_to_write(device)) {
  CUmodule own = load_own_kernels(device);
  mask_ = own_kernel(own, "assay_mask");
  evict_ = own_kernel(own, "assay_evict");
}

void Vault::lay_out(std::vector<Place> places) {
  for (const Set& set : sets_)
    if (set.memory != 0) check(driver().cuMemFree(set.memory), "cuMemFree");
  sets_.clear();
  places_ = std::move(places);
}

std::uint64_t Vault::kept_bytes() const {
  std::uint64_t bytes = 0;
  for (const Place& place : places_)
    if (place.kept) bytes += round_up(place.bytes, kVector);
  return bytes;
}

void Vault::seal(std::uint32_t number) {
  if (number >= sets_.size()) sets_.resize(number + 1);
  Set& set = sets_[number];
  if (set.memory == 0) check(driver().cuMemAlloc(&set.memory, std::max(kept_bytes(), kVector)), "a set of inputs and outputs: cuMemAlloc");
  if (getrandom(set.key.data(), sizeof set.key, 0) != sizeof set.key) throw Error("getrandom failed");
  CUdeviceptr at = set.memory;
  for (std::uint32_t i = 0; i < places_.size(); ++i) {
    if (!places_[i].kept) continue;
    mask(places_[i].at, at, places_[i].bytes, set.key, i);
    at += round_up(places_[i].bytes, kVector);
  }
}

void Vault::unseal(std::uint32_t number) {
  const Set& set = sets_.at(number);
  CUdeviceptr at = set.memory;
  for (std::uint32_t i = 0; i < places_.size(); ++i) {
    mask(places_[i].kept ? at : 0, places_[i].at, places_[i].bytes, set.key, i);
    if (places_[i].kept) at += round_up(places_[i].bytes, kVector);
  }
}

void Vault::mask(CUdeviceptr from, CUdeviceptr to, std::uint64_t bytes, const Key& key, std::uint32_t place) {
  if (bytes == 0) return;
  Key words = key;
  void* arguments[] = {&from, &to, &bytes, &words, &place};
  launch_own(mask_, (bytes + kMasked * kOwnThreads - 1) / (kMasked * kOwnThreads), arguments, stream_);
}

void Vault::evict() {
  if (written_ == 0) check(driver().cuMemAlloc(&written_, written_bytes_), "cuMemAlloc");
  check(driver().cuCtxResetPersistingL2Cache(), "cuCtxResetPersistingL2Cache");
  std::uint64_t count = written_bytes_ / kVector;
  std::uint32_t value = 1;
  void* arguments[] = {&written_, &count, &value};
  launch_own(evict_, kWriters, arguments, stream_);
}

}  // namespace assay::cuda

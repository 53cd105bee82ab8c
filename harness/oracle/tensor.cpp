// SPDX-License-Identifier: Apache-2.0
#include "assay/oracle/tensor.h"

#include <cstdlib>
#include <map>
#include <mutex>
#include <new>

namespace assay {
namespace {

constexpr std::size_t kSmallest = 64 << 10;  // below, malloc's own lists are as good
constexpr std::size_t kMost = 256 << 20;     // kept in all

struct Cache {
  std::mutex mutex;
  std::multimap<std::size_t, void*> blocks;
  std::size_t bytes = 0;
};

/// Never destroyed: tensors of static duration may outlive any order of destruction.
Cache& cache() {
  static auto* blocks = new Cache;
  return *blocks;
}

}  // namespace

void* take_block(std::size_t bytes) {
  if (bytes >= kSmallest) {
    Cache& kept = cache();
    const std::lock_guard lock(kept.mutex);
    if (const auto found = kept.blocks.find(bytes); found != kept.blocks.end()) {
      void* block = found->second;
      kept.blocks.erase(found);
      kept.bytes -= bytes;
      return block;
    }
  }
  void* block = std::aligned_alloc(64, bytes);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

void give_block(void* block, std::size_t bytes) {
  if (bytes >= kSmallest) {
    Cache& kept = cache();
    const std::lock_guard lock(kept.mutex);
    if (kept.bytes + bytes <= kMost) {
      kept.blocks.emplace(bytes, block);
      kept.bytes += bytes;
      return;
    }
  }
  std::free(block);
}

}  // namespace assay

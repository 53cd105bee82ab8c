// SPDX-License-Identifier: Apache-2.0
#include "assay/oracle/tensor.h"

#include <cstdlib>
#include <map>
#include <mutex>
#include <new>

namespace assay {
namespace {

constexpr std::size_t kSmallest = 64 << 10;  // below, malloc's own lists are as good

struct Cache {
  std::mutex mutex;
  std::multimap<std::size_t, void*> blocks;
  std::size_t bytes = 0;
  std::size_t most = 512 << 20;  // kept in all
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
    if (kept.bytes + bytes <= kept.most) {
      kept.blocks.emplace(bytes, block);
      kept.bytes += bytes;
      return;
    }
  }
  std::free(block);
}

void keep_blocks(std::size_t bytes) {
  Cache& kept = cache();
  const std::lock_guard lock(kept.mutex);
  kept.most = bytes;
  for (auto block = kept.blocks.begin(); kept.bytes > bytes; block = kept.blocks.erase(block)) {
    kept.bytes -= block->first;
    std::free(block->second);
  }
}

}  // namespace assay

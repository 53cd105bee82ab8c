// SPDX-License-Identifier: Apache-2.0
#include "assay/oracle/tensor.h"

#include <sys/mman.h>

#include <cstdlib>
#include <map>
#include <mutex>
#include <new>

namespace assay::oracle {
namespace {

constexpr std::size_t kSmallest = 64 << 10;  // below, malloc's own lists are as good
constexpr std::size_t kPage = 4096;

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

std::size_t whole_pages(std::size_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

/// Elements are of no use to a child, and a fork that shared them would cost a page fault for each page written after it.
void* map_block(std::size_t bytes) {
  void* block = mmap(nullptr, whole_pages(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (block == MAP_FAILED) throw std::bad_alloc();
  madvise(block, whole_pages(bytes), MADV_DONTFORK);
  return block;
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
    return map_block(bytes);
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
    munmap(block, whole_pages(bytes));
    return;
  }
  std::free(block);
}

void keep_blocks(std::size_t bytes) {
  Cache& kept = cache();
  const std::lock_guard lock(kept.mutex);
  kept.most = bytes;
  for (auto block = kept.blocks.begin(); kept.bytes > bytes; block = kept.blocks.erase(block)) {
    kept.bytes -= block->first;
    munmap(block->second, whole_pages(block->first));
  }
}

}  // namespace assay::oracle

// SPDX-License-Identifier: Apache-2.0
#include "cache.h"

#include <cstdint>
#include <stdexcept>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace assay::timing {

void flush_from_caches([[maybe_unused]] std::span<const std::byte> memory) {
#if defined(__x86_64__)
  constexpr std::size_t kLine = 64;
  for (std::size_t at = 0; at < memory.size(); at += kLine) _mm_clflush(memory.data() + at);
  if (!memory.empty()) _mm_clflush(memory.data() + memory.size() - 1);  // buffers need not begin at a line
  _mm_mfence();
#elif defined(__aarch64__)
  std::uint64_t type;
  asm volatile("mrs %0, ctr_el0" : "=r"(type));
  const std::size_t line = std::size_t{4} << (type >> 16 & 0xf);
  for (std::size_t at = 0; at < memory.size(); at += line) asm volatile("dc civac, %0" : : "r"(memory.data() + at) : "memory");
  if (!memory.empty()) asm volatile("dc civac, %0" : : "r"(memory.data() + memory.size() - 1) : "memory");
  asm volatile("dsb ish" : : : "memory");
#else
  throw std::runtime_error("KERNELASSAY_CACHE=cold is not known for this processor. do: use warm");
#endif
}

}  // namespace assay::timing

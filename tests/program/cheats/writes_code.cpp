// verdict: POLICY
#include <sys/mman.h>

#include "histogram.h"

std::size_t count_values(const std::int32_t*, std::size_t, std::int32_t, std::uint64_t*) {
  return mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED;
}

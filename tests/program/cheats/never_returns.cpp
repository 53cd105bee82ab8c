// verdict: TIMEOUT
#include "histogram.h"

std::size_t count_values(const std::int32_t*, std::size_t, std::int32_t, std::uint64_t*) {
  for (volatile int forever = 1; forever != 0;) {
  }
  return 0;
}

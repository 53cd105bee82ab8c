// verdict: POLICY
// stage: compile
#include <unistd.h>

#include "histogram.h"

std::size_t count_values(const std::int32_t*, std::size_t, std::int32_t, std::uint64_t*) {
  if (fork() != 0) _exit(0);
  return 0;
}

// verdict: POLICY
// The first thread ends alone; the last one ends the process with status 0.
#include <pthread.h>

#include <thread>

#include "histogram.h"

std::size_t count_values(const std::int32_t*, std::size_t, std::int32_t, std::uint64_t*) {
  std::thread([] {}).detach();
  pthread_exit(nullptr);
}

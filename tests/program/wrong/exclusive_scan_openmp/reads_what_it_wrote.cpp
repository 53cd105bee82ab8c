// verdict: WRONG_RESULT
#include "exclusive_scan.h"

#include <omp.h>

#include <vector>

std::uint64_t exclusive_scan(const std::uint64_t* numbers, std::size_t count, std::uint64_t* sums) {
  std::vector<std::uint64_t> offsets(static_cast<std::size_t>(omp_get_max_threads()) + 1, 0);
#pragma omp parallel
  {
    const std::size_t thread = omp_get_thread_num(), threads = omp_get_num_threads();
    const std::size_t begin = count * thread / threads, end = count * (thread + 1) / threads;
    std::uint64_t mine = 0;
    for (std::size_t i = begin; i < end; ++i) mine += numbers[i];
    offsets[thread + 1] = mine;
#pragma omp barrier
#pragma omp single
    for (std::size_t t = 1; t < offsets.size(); ++t) offsets[t] += offsets[t - 1];
    std::uint64_t sum = offsets[thread];
    for (std::size_t i = begin; i < end; ++i) {

      sums[i] = sum;
      sum += numbers[i];
    }
  }
  return offsets.back();
}
